#!/usr/bin/env python3
"""Compiles the programs of glsl/ by Mesa's drivers for NV30 and R300, without a card, and counts their machine code.

    tests/mesa/rebuild.py target/debug/fragstream           writes figures/mesa/VERSION.csv, and a table on its page
    tests/mesa/rebuild.py target/debug/fragstream --check   compares with the table that is there, and writes nothing

A check compares names and fetches with any Mesa, all other counts only if the table is of the installed version. It prints a
sentence, and ends with 1 if anything differs. Without gcc, Mesa's drivers or headers it ends with 77; headers of libdrm-dev are
downloaded by apt if they are not installed."""

import argparse, csv, glob, json, os, pathlib, re, statistics, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
FIGURES = HERE.parent.parent / "figures" / "mesa"
DRIVERS = {"NV30": "nouveau", "R300": "r300"}
HEAD = ["program"] + [f"NV30 {what}" for what in ("instructions", "fetches", "moves", "registers", "constants", "kinds")]
HEAD += [f"R300 {what}" for what in ("arithmetic", "fetches", "nodes", "registers", "refusal")]
# Programs of rows, beyond those that `fragstream listing` lists: name, parts, defines.
MORE = [
    ("bolz2003/grid/transfer/project", ["grid_inner"], []),
    ("stream/bounded/reduce", [], ["COMBINE(a, b)=((a) + (b))", "IDENTITY=0.0"]),
    ("goodnight2003/multigrid/restrict", ["restrict_fastpath"], []),
    ("kruger2003/matrices/diagonals", [], ["DIAGONALS=1", "CONTINUED=1"]),
]


class Skip(Exception):
    """What is missing on this machine."""


def run(*words, **options):
    try:
        return subprocess.run(words, capture_output=True, text=True, **options)
    except FileNotFoundError:
        raise Skip(f"not run: {words[0]} is not installed") from None


def version():
    """Version of the installed drivers, without Debian's."""
    found = run("dpkg-query", "-W", "-f", "${Version}", "libgl1-mesa-dri")
    if found.returncode or not all(glob.glob(f"/usr/lib/*/dri/{driver}_dri.so") for driver in DRIVERS.values()):
        raise Skip("not run: apt install libgl1-mesa-dri (and a system with its drivers nouveau and r300)")
    return found.stdout.split("-")[0]


def built(work):
    """Compiles the library that pretends to be a card, and the client."""
    include = pathlib.Path("/usr/include")
    if not (include / "libdrm/radeon_drm.h").exists():
        run("apt-get", "download", "libdrm-dev", cwd=work)
        for package in work.glob("libdrm-dev*.deb"):
            run("dpkg-deb", "-x", package, work)
        include = work / "usr/include"
    flags = ["-O1", "-Wall", "-Wextra", "-Werror"]
    for words in (
        ["-shared", "-fPIC", f"-I{include}", f"-I{include}/libdrm", "-o", work / "device.so", HERE / "device.c"],
        ["-o", work / "client", HERE / "client.c", "-lEGL", "-lGL", "-l:libgbm.so.1"],
    ):
        made = run("gcc", *flags, *words)
        if made.returncode:
            raise Skip("not run: apt install gcc libegl-dev libgl-dev libdrm-dev libgbm1\n" + made.stderr)


def listed(fragstream, work):
    """The programs: fragstream's counts, and the file of the assembly in the form of 2003."""
    table = json.loads(run(fragstream, "listing", "--json").stdout)["result"]["programs"]
    for number, (name, parts, defines) in enumerate([words(one["program"]) for one in table] + MORE):
        options = [option for part in parts for option in ("--with", part)]
        options += [option for define in defines for option in ("--define", define)]
        own = run(fragstream, "listing", name, *options, "--form", "ps2.0", "--json").stdout
        # Double precision and texts with a vertex program of their own have no listing.
        text = run(fragstream, "listing", name, *options, "--form", "arb").stdout
        if own and text:
            path = work / f"{number:03}.fp"
            # A position and a rectangle cost R300 further instructions; programs of 2003 had a coordinate and a texture.
            path.write_text(text.replace("fragment.position", "fragment.texcoord[0]").replace("RECT", "2D"))
            [one] = json.loads(own)["result"]["listings"]
            # As the whole table names it: there, a define of a condition is written as it is.
            named = name + (" with " + ", ".join(parts) if parts else "") + "".join("  " + define for define in defines)
            yield dict(one, program=named), path


def words(label):
    """The name of a program, its parts and its defines, of `name with a, b  N=1  M=2`."""
    head, *defines = re.split("  ", label)
    name, _, parts = head.partition(" with ")
    return name, parts.split(", ") if parts else [], defines


def compiled(card, paths, work):
    """What the driver submits for each file: the lines between its name and the next one."""
    environment = dict(os.environ, CARD=card, MESA_LOADER_DRIVER_OVERRIDE=DRIVERS[card], RADEON_THREAD="0",
                       MESA_SHADER_CACHE_DISABLE="true", LD_PRELOAD=str(work / "device.so"))
    left, found = list(paths), {}
    while left:
        text = run(work / "client", *left, env=environment, timeout=600).stderr
        for part in text.split("\nprogram ")[1:]:
            path, _, lines = part.partition("\n")
            found[path] = lines
        after = [k for k, path in enumerate(left) if str(path) in found]
        if not after and not found:
            raise Skip(f"not run: the driver for {card} asks for more of a device. {text.strip().splitlines()[-1:]}")
        if not after:
            sys.exit(f"{card}: the client ended: {text.strip()}")
        # One that ended the process is left out.
        left = left[after[-1] + 1:]
    return found


def row(label, lines):
    """The cells of a program."""
    cells = dict.fromkeys(HEAD, "")
    cells["program"] = label
    for card in DRIVERS:
        its = lines[card]
        refusal = re.search("Too many [A-Za-z ]*[a-z]", its)
        if card == "R300" and "dummy shader" in its:
            # The compiler gives the first of its reasons.
            cells["R300 refusal"] = (refusal.group().lower().replace("alu", "arithmetic") if refusal else "too long")
            continue
        submitted = re.findall(f"^{card} (.*)$", its, re.M)
        if submitted:
            numbers, _, kinds = submitted[-1].partition("kinds=")
            cells.update((f"{card} {name}", n) for name, n in (one.split("=") for one in numbers.split()))
            if card == "NV30":
                each = sorted((kind.split(" ")[::-1] for kind in kinds.split(",") if kind))
                cells["NV30 kinds"] = ", ".join(f"{n} {kind}" for kind, n in each)
    return cells


def compare(known, rows, is_same_version):
    """The differences from the table that is there."""
    known = {one["program"]: one for one in known}
    for name in sorted(known.keys() ^ {one["program"] for one in rows}):
        yield f"{name}: only in {'the table' if name in known else 'the programs'}"
    for one in rows:
        for name in HEAD[1:] if is_same_version else ("NV30 fetches", "R300 fetches"):
            before = known.get(one["program"], one)[name]
            # Another version may accept or refuse others.
            if before != one[name] and (is_same_version or before and one[name]):
                yield f"{one['program']}: {name}: {one[name] or 'none'}, in the table {before or 'none'}"


def is_within(one):
    """Tests whether a program is within R300's limits by its listing."""
    if not isinstance(one["slots"], dict):
        return False
    most = (one["slots"]["arithmetic"], 64), (one["slots"]["texture"], 32), (one["registers"], 12)
    most += (one["constants"], 32), (one["order"], 3)
    return all(has <= may for has, may in most)


def summary(rows, counts):
    """The table of the page, next to fragstream's listings."""
    number = lambda one, name: int(one[name] or 0)
    nv30 = [one for one in rows if one["NV30 instructions"]]
    r300 = [one for one in rows if one["R300 arithmetic"]]
    own = lambda one, what: counts[one["program"]][what]
    quartiles = lambda ratios: "{1:.2f} ({0:.2f}, {2:.2f})".format(*statistics.quantiles(ratios, method="inclusive"))
    equal = lambda card, all: f"{sum(number(one, card + ' fetches') == own(one, 'fetches') for one in all)} of {len(all)}"
    fits = [one for one in rows if one["R300 arithmetic"] or one["R300 refusal"]]
    lengths = lambda moves: quartiles([(number(one, "NV30 instructions") - moves * number(one, "NV30 moves")) / own(one, "instructions") for one in nv30])
    pairs = [(number(one, "NV30 registers") + 1) // 2 - (own(one, "registers") + 1) // 2 for one in nv30]
    larger = lambda one: max(number(one, "R300 arithmetic"), number(one, "R300 fetches")) / max(own(one, "instructions") - own(one, "fetches"), own(one, "fetches"))
    refused = [one["program"] for one in fits if one["R300 refusal"] and is_within(counts[one["program"]])]
    accepted = [one["program"] for one in fits if not one["R300 refusal"] and not is_within(counts[one["program"]])]
    lines = [
        ("programs compiled for NV30, for R300", f"{len(nv30)}, {len(r300)}"),
        ("equal numbers of fetches, NV30", equal("NV30", nv30)),
        ("equal numbers of fetches, R300", equal("R300", r300)),
        ("instructions for NV30, relative to the listing: median (quartiles)", lengths(0)),
        ("the same without moves", lengths(1)),
        ("arithmetic or fetches for R300, whichever are more, relative to the listing: median (quartiles)", quartiles([larger(one) for one in r300])),
        ("nodes of R300 equal to the listing's order of reads and one", f"{sum(number(one, 'R300 nodes') == own(one, 'order') + 1 for one in r300)} of {len(r300)}"),
        ("register pairs for NV30: fewer than the listing's, as many, more", f"{sum(d < 0 for d in pairs)}, {pairs.count(0)}, {sum(d > 0 for d in pairs)}"),
        ("refused for R300, within its limits by count", f"{len(refused)}: " + ", ".join(" ".join(f"`{one}`".split()) for one in refused)),
        ("compiled for R300, beyond its limits by count", f"{len(accepted)}: " + ", ".join(" ".join(f"`{one}`".split()) for one in accepted)),
    ]
    return "| what | result |\n| --- | --- |\n" + "".join(f"| {what} | {result} |\n" for what, result in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fragstream", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if not arguments.fragstream.is_file():
        parser.error(f"{arguments.fragstream}: no such file")
    installed = version()
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        built(work)
        programs = list(listed(arguments.fragstream.resolve(), work))
        paths = [path for _, path in programs]
        lines = {card: compiled(card, paths, work) for card in DRIVERS}
    rows = [row(one["program"], {card: lines[card].get(str(path), "") for card in DRIVERS}) for one, path in programs]
    [table] = FIGURES.glob("[0-9]*.csv")
    if arguments.check:
        with open(table, newline="") as file:
            faults = list(compare(csv.DictReader(file), rows, table.stem == installed))
        print("\n".join(faults), file=sys.stderr)
        print(f"{len(rows)} programs, Mesa {installed}: " + (f"{len(faults)} DIFFER" if faults else f"as in {table.name}"))
        sys.exit(bool(faults))
    table.unlink()
    with open(FIGURES / f"{installed}.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, HEAD, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    page = FIGURES / "README.md"
    counts = {one["program"]: one for one, _ in programs}
    marks = "<!-- summary -->\n", "<!-- end of summary -->"
    before, rest = page.read_text().split(marks[0])
    page.write_text(before + marks[0] + summary(rows, counts) + marks[1] + rest.split(marks[1])[1])


if __name__ == "__main__":
    try:
        main()
    except Skip as reason:
        print(reason)
        sys.exit(77)
