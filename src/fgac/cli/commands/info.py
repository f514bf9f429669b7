"""``fgac info``: what is in a model file, without any rows to predict."""

from __future__ import annotations

from fgac.cli import options as o


def info(model: o.AnyModel, json: o.Json = False) -> None:
    """Show what is in a model file: what it predicts and compares, how it was fitted, and whether that is proved.

    Also of a gamma path. No other data are needed, and nothing in the file is executed.
    """
    from fgac.cli.console import output_console
    from fgac.cli.json_output import print_json
    from fgac.cli.model_files import check_model
    from fgac.cli.model_info import info_document, info_lines

    check_model(model)
    from fgac.persistence import open_model_file

    opened = open_model_file(model)
    if json:
        print_json(info_document(model, opened))
    else:
        output_console().print(info_lines(opened))
