"""
Which film tonight?
===================

    python examples/films.py [PICTURE.png]

Films that a viewer has rated argue for and against films that are new to her. After the example in the paper: a
streaming service asks for a thumb up or down, although we like some films more than others. The model estimates that
hidden degree. Viewer and films are invented; pace and darkness go from 0 to 10. Needs pandas and matplotlib: pip
install pandas 'fgac[plot]'.
"""

# %%
import io
import sys
import textwrap

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from fgac import FGAClassifierCV, audit
from fgac.plot import ArgumentDisplay

RATED = """title,genre,year,minutes,pace,darkness,verdict
The Lamplighter of Orsk,drama,1974,128,2,5,liked
A Winter Without Clocks,drama,1988,119,2,6,liked
Letters to the Harbour,drama,1996,104,3,4,liked
Salt on the Windowsill,drama,2003,111,3,6,liked
My Uncle's Violin,drama,2011,98,4,3,liked
The Long Verdict,drama,2016,141,3,7,liked
Ash and Ledger,drama,2019,152,3,9,not liked
Paper Boats in March,drama,2021,107,3,4,liked
Eleven Moons of Tethra,science fiction,1979,134,2,5,liked
The Listening Station,science fiction,1985,122,3,6,liked
Colony of Glass,science fiction,1999,117,4,6,liked
The Second Tide of Vesta,science fiction,2008,126,4,5,liked
The Botanist of Ceres,science fiction,2017,109,3,3,liked
Starfall Armada,science fiction,2012,148,9,5,not liked
Starfall Armada II,science fiction,2015,156,10,6,not liked
Droid Riot,science fiction,2020,131,9,7,not liked
Two Weddings and a Goat,comedy,1994,96,7,1,liked
The Wrong Suitcase,comedy,1987,93,8,1,liked
Aunt Olga Takes the Wheel,comedy,2006,99,8,2,liked
Breakfast for Nine,comedy,2014,101,7,1,liked
The Mayor's Parrot,comedy,2018,94,8,2,liked
Morgue Party,comedy,2010,103,7,8,not liked
Three Coffins and a Clown,comedy,2013,107,6,8,not liked
Hammerfist,action,2001,112,9,6,not liked
Hammerfist Returns,action,2004,118,10,6,not liked
Bullet Weather,action,2009,124,9,7,not liked
Convoy of Cinders,action,1998,121,9,8,not liked
The Harbour Job,action,2016,116,9,5,not liked
Zero Hour Express,action,2019,119,9,6,liked
The Cellar Below the Cellar,horror,1982,91,5,9,not liked
Mother of All Crows,horror,2007,97,5,10,not liked
What the Well Said,horror,2015,102,4,9,not liked
The Nurse on Ward Zero,horror,2020,95,6,10,not liked
The Ferryman's Alibi,thriller,1992,113,5,5,liked
A Window in Trieste,thriller,2002,108,5,6,liked
Double Entry for Mr Voss,thriller,2018,115,6,6,liked
Skinner's Row,thriller,2010,118,6,9,not liked
The Ninth Drawer,thriller,2014,121,6,9,not liked"""
NEW = """title,genre,year,minutes,pace,darkness
Daughter of the Mapmaker,drama,2022,113,3,5
Iron Comet,science fiction,2022,139,8,6
Orchard of Knives,thriller,2021,117,6,7
A Funeral in Pink,comedy,2022,100,7,5
Ballet of the Tin Soldiers,musical,1931,61,9,0"""


def tell(title, *texts):
    print(f"\n{title}\n{'-' * len(title)}")
    for line in "\n".join(texts).splitlines():
        print(textwrap.fill(line, 100, break_on_hyphens=False))


# %%
rated = pd.read_csv(io.StringIO(RATED), index_col="title")
new = pd.read_csv(io.StringIO(NEW), index_col="title")
verdicts = rated.pop("verdict")
folds = StratifiedKFold(5, shuffle=True, random_state=0)  # shuffled, because the films are sorted by genre
model = FGAClassifierCV(cv=folds).fit(rated, verdicts)
explanations = model.explain(new, units={"minutes": "min"})

# %%
degrees = pd.Series(model.beta_, rated.index)[verdicts == "liked"].sort_values(kind="stable")
tell(
    "What the viewer likes",
    f"She gave {len(rated)} films a thumb up or down, {len(degrees)} of them up. Not every thumb up says as much: "
    f"judged by everything she has seen, she likes '{degrees.index[-1]}' to {degrees.iloc[-1]:.2f} out of 1, but "
    f"'{degrees.index[0]}' only to {degrees.iloc[0]:.2f}. A slip of the thumb, or a secret pleasure?",
    audit(model, n_rows=1).text(),
)

# %%
liked = {e.id: m for e in explanations for m in e.memberships if m.label == "liked"}
ranking = sorted(liked.items(), key=lambda item: -item[1].degree)
tell(
    "Tonight, best first",
    *(f"{film:28} {m.degree:.2f}   (between {m.lower:.2f} and {m.upper:.2f})" for film, m in ranking),
    "0 is a thumb down, 1 a thumb up. The further the bounds are apart, the less her ratings say about a film.",
)

# %%
for e in explanations:
    tell(f"Why? {e.id}", e.text())

# %%
tell(
    "What to keep in mind",
    f"The model knows a film by five columns, not by its director or its cast, and the viewer by {len(rated)} ratings. "
    "What counts as similar is learned from them: how dark a film is tells most of her taste, its genre least. "
    "A degree is no probability.",
)

# %%
# What speaks for and against one of the films.
picture = ArgumentDisplay.from_explanation(explanations[2])
plt.show()
for path in sys.argv[1:]:
    picture.figure_.savefig(path, dpi=150)
    print(f"\nThe arguments about '{explanations[2].id}' are drawn in {path}")
