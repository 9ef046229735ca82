#!/usr/bin/env python3
"""Makes article.pdf from README.md in this folder, with the figures of the neighbouring folders.

    pip install typst==0.15.2
    python3 figures/article/build.py
    python3 figures/article/build.py --typst      # prints the Typst text instead

It needs Python 3.9 or later and Typst's wheel, which is the compiler with its fonts: nothing else is installed, and fonts of
the system are not used, so that the same version makes the same file. README.md gets its numbers from
`fragstream reproduce --pages`; run that first.

The Markdown that is understood is that of README.md: headings, paragraphs, lists, tables, fenced code, pictures with a
caption below, and *emphasis*, **strong**, `code`, [links](…) within a line. Comments are dropped. Anything else is an error.
"""

import hashlib
import pathlib
import re
import sys

import typst

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
STYLE = r"""
#set document(title: [TITLE], author: "The fragstream developers", keywords: "SHA-256 of README.md: HASH", date: none)
#set page(
  paper: "a4",
  margin: (x: 26mm, top: 22mm, bottom: 21mm),
  numbering: "1",
  header: context if counter(page).get().first() > 1 {
    set text(8.5pt, fill: luma(100))
    [TITLE #h(1fr) The fragstream developers, 2026]
  },
)
#set text(font: "Libertinus Serif", size: 10.5pt, lang: "en", region: "gb")
#set par(justify: true, leading: 0.62em, spacing: 0.95em)
#set list(indent: 0.4em, spacing: 0.75em)
#set enum(indent: 0.2em, spacing: 0.75em, numbering: "[1]")
#show heading.where(level: 1): it => block(below: 0.7em, text(18pt, it.body))
#show heading.where(level: 2): it => block(above: 1.7em, below: 0.8em, text(14pt, it.body))
#show heading.where(level: 3): it => block(above: 1.4em, below: 0.7em, text(11.5pt, it.body))
#show raw: set text(font: "DejaVu Sans Mono", size: 0.95em)
#show raw.where(block: true): it => block(fill: luma(245), inset: 7pt, radius: 2pt, width: 100%, it)
#show link: set text(fill: rgb("#0b4a8f"))
#show figure.caption: it => block(width: 92%, text(9.2pt, align(left, it.body)))
#show figure: set block(above: 1.5em, below: 1.5em)
#show table: set text(8.6pt)
#show footnote.entry: set text(8.4pt)
#show table: set par(justify: false, leading: 0.5em)
#show table.cell: set block(breakable: false)
#set table(stroke: (x, y) => (top: if y == 0 { 0.8pt } else { 0.3pt + luma(190) }, bottom: 0.8pt), inset: (x: 4pt, y: 4.5pt))
"""
# Titles of files that have none.
TITLES = {".csv": "Table", ".tsv": "List of criteria", ".json": "All results", ".yaml": "Metadata", ".sh": "Script", ".cff": "How to cite"}
# Characters that mean something to Typst within a paragraph.
SPECIAL = re.compile(r"([\\#$*_`<>@~\[\]=/+\-'\"])")
TOKENS = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<strong>.+?)\*\*|\*(?P<emphasis>[^*]+)\*|\[(?P<text>[^\]]+)\]\((?P<target>[^)\s]+)\)"
)


def quoted(text):
    """A string literal of Typst."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def plain(text):
    """Text without marks. Quotation marks and apostrophes are as on the page; a number keeps its unit."""
    text = re.sub(r"(\d) (%|GB|MB|ms|µs|s|cycles|times|pixels)(?![\w])", "\\1\u00a0\\2", text)
    text = text.replace("'", "’")
    return SPECIAL.sub(r"\\\1", text)


def note(target):
    """A footnote with the title of a file of the project, or of a section of it, and its path."""
    name, _, place = target.partition("#")
    file = (FOLDER / name).resolve()
    path = file.relative_to(ROOT).as_posix()
    title = TITLES.get(file.suffix, "")
    if file.suffix == ".md":
        heads = [line.lstrip("# ") for line in file.read_text(encoding="utf-8").split("\n") if re.match("#+ ", line)]
        words = lambda head: re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-")
        title = heads[0]
        if place and place not in [words(head) for head in heads]:
            raise SystemExit(f"README.md: {path} has no section {place}")
        title += "".join(f": {head}" for head in heads[1:] if words(head) == place)
    return f"#footnote[{plain(title)}{', ' if title else ''}#raw({quoted(path)}) in the code]"


def inline(text, notes=True):
    """A paragraph's text as Typst's markup. A file of the project has no address in a PDF, so that a note gives its path."""
    made, at = "", 0
    for token in TOKENS.finditer(text):
        made += plain(text[at : token.start()])
        at = token.end()
        if token["code"]:
            made += f"#raw({quoted(token['code'])})"
        elif token["strong"]:
            made += f"#strong[{inline(token['strong'])}]"
        elif token["emphasis"]:
            made += f"#emph[{inline(token['emphasis'])}]"
        elif "://" in token["target"]:
            made += f"#link({quoted(token['target'])})[{inline(token['text'])}]"
        else:
            made += inline(token["text"]) + (note(token["target"]) if notes else "")
    return made + plain(text[at:])


def row(line, columns):
    """The cells of a row of a table."""
    found = [cell.strip() for cell in line.strip()[1:-1].split("|")]
    if len(found) != columns:
        raise SystemExit(f"README.md: a row has {len(found)} cells instead of {columns}: {line}")
    return found


def table(lines):
    """A table with its head; columns of numbers are narrow."""
    columns = lines[0].count("|") - 1
    rows = [row(line, columns) for line in lines]
    head, marks, body = rows[0], rows[1], rows[2:]
    is_number = [mark.endswith(":") for mark in marks]
    length = [max(len(re.sub(r"\]\([^)]*\)", "", line[k])) for line in body) for k in range(columns)]
    # A column of numbers is as wide as the longest word of its head.
    longest = [max(map(len, re.split(r"[ /]", cell))) for cell in head]
    widths = [f"{max(44, 5 * longest[k])}pt" if is_number[k] else "auto" if wide < 16 else f"{2 + wide / 30:.2f}fr" for k, wide in enumerate(length)]
    aligns = ["right" if number else "left" for number in is_number]
    # A long table continues on the next page, with its head again.
    breakable = "true" if len(body) > 4 else "false"
    made = [f"#block(breakable: {breakable}, table(columns: ({', '.join(widths)}), align: ({', '.join(aligns)}),", "table.header("]
    size = "7.4pt" if columns > 4 else "8.6pt"
    made += [f"[#text({size})[{inline(cell, notes=False)}]]," for cell in head] + ["),"]
    made += ["".join(f"[{inline(cell, notes=False)}]," for cell in line) for line in body]
    return "\n".join(made + ["))"])


def picture(line, caption):
    """A figure; its caption is the emphasised paragraph below it."""
    alt, target = re.fullmatch(r"!\[([^\]]*)\]\(([^)]+)\)", line).groups()
    path = (FOLDER / target).resolve().relative_to(ROOT)
    width = "100%" if "aged" in target else "74%"
    image = f"image({quoted('/' + path.as_posix())}, width: {width}, alt: {quoted(alt)})"
    return f"#figure({image}, caption: [{inline(caption)}], numbering: none, placement: auto)"


def items(lines, mark):
    """The items of a list, each on one line."""
    made = []
    for line in lines:
        found = re.match(mark, line)
        if found:
            made.append(line[found.end() :])
        else:
            made[-1] += " " + line.strip()
    return made


def converted(text):
    """The page as Typst's text."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    lines = text.split("\n")
    made, at = [], 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
            continue
        if line.startswith("```"):
            end = lines.index("```", at + 1)
            made.append(f"#raw({quoted(chr(10).join(lines[at + 1 : end]))}, block: true)".replace("\n", "\\n"))
            at = end + 1
            continue
        end = at
        while end < len(lines) and lines[end].strip() and not lines[end].startswith("```"):
            end += 1
        block, at = lines[at:end], end
        whole = " ".join(part.strip() for part in block)
        if "](article.pdf)" in whole:
            continue
        heading = re.match(r"(#+) ", line)
        if heading:
            made.append(f"{'=' * len(heading[1])} {inline(whole[heading.end() :])}")
        elif re.fullmatch(r"\*\*[^*]+\*\*|\*Table .*\*", whole):
            # The heading of a table stays with it.
            made.append(f"#block(sticky: true)[{inline(whole)}]")
        elif line.startswith("|"):
            made.append(table(block))
        elif line.startswith("!["):
            while not lines[at].strip():
                at += 1
            end = lines.index("", at)
            caption = " ".join(lines[at:end])
            if not (caption.startswith("*") and caption.endswith("*")):
                raise SystemExit(f"README.md: a picture without a caption in *…*: {line}")
            made.append(picture(line, caption[1:-1]))
            at = end
        elif line.startswith("- "):
            made.append("\n".join(f"- {inline(item)}" for item in items(block, r"- ")))
        elif re.match(r"\d+\. ", line):
            made.append("\n".join(f"+ {inline(item)}" for item in items(block, r"\d+\. ")))
        elif line.startswith((">", "<", "    ")):
            raise SystemExit(f"README.md: build.py does not know this kind of paragraph: {line}")
        else:
            made.append(inline(whole))
    return "\n\n".join(made) + "\n"


def main():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    title = inline(text.split("\n", 1)[0].removeprefix("# "))
    # A test compares this with the page, so that the two do not drift apart.
    style = STYLE.replace("HASH", hashlib.sha256(text.encode()).hexdigest())
    source = style.replace("TITLE", title) + converted(text)
    if "--typst" in sys.argv[1:]:
        print(source)
        return
    # The compiler reads pictures below the root of the project.
    pdf = typst.compile(source.encode(), root=str(ROOT), ignore_system_fonts=True, timestamp=0)
    (FOLDER / "article.pdf").write_bytes(pdf)


main()
