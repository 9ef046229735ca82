#!/usr/bin/env python3
"""Sixty small files written by other libraries, read by fragstream, and the right value computed by them.

    pip install numpy scipy meshio trimesh OpenEXR
    tests/corpus.py target/release/fragstream

Prints a line per kind. Ends with 1 if a value is wrong.
"""

import gzip, json, os, subprocess, sys, tempfile

import meshio, numpy as np, OpenEXR, scipy.io, scipy.sparse as sparse, trimesh
from scipy.sparse.linalg import spsolve

program = os.path.abspath(sys.argv[1])
os.chdir(tempfile.mkdtemp())
random = np.random.default_rng(2)
counts, wrong = {}, 0


def run(*words):
    """The result of a command."""
    done = subprocess.run([program, *words, "--json"], capture_output=True, text=True)
    if done.returncode:
        raise ValueError(done.stderr.strip().splitlines()[-1])
    if "not used" in done.stderr:
        raise ValueError(f"a note on what another library writes: {done.stderr.strip()}")
    return json.loads(done.stdout)["result"]


def check(kind, file, found, right, tolerance):
    """Compares a value of fragstream with the other library's."""
    global wrong
    counts[kind] = counts.get(kind, 0) + 1
    try:
        error = np.max(np.abs(found() - right)) / np.max(np.abs(right))
    except ValueError as reason:
        error = reason
    if not isinstance(error, float) or not error <= tolerance:
        wrong += 1
        print(f"{kind}: {file}: {error}", file=sys.stderr)


def solved(file):
    run("solve", file, "--rtol", "1e-10", "--out", "x.mtx")
    return scipy.io.mmread("x.mtx").ravel()


# Matrix Market: every field and symmetry that scipy writes, as entries and as an array, also compressed.
n = 12
upper = np.triu(random.integers(1, 9, (n, n)) * (random.random((n, n)) < 0.3), 1)
matrices = {
    "general": upper - 2 * upper.T + 60 * np.eye(n),
    "symmetric": upper + upper.T + 60 * np.eye(n),
    "skew-symmetric": upper - upper.T + 60 * (np.eye(n, k=n // 2) - np.eye(n, k=-n // 2)),
}
for symmetry, dense in matrices.items():
    right = spsolve(sparse.csc_matrix(dense), np.ones(n))
    for field in ["real", "integer", "unsigned-integer"]:
        if field == "unsigned-integer" and symmetry != "general":
            continue
        values = np.abs(dense).astype("uint32") if field == "unsigned-integer" else dense
        values = values.astype("int32") if field == "integer" else values
        right = np.linalg.solve(values.astype(float), np.ones(n))
        for written in [values, sparse.coo_matrix(values), sparse.csr_matrix(values)]:
            file = f"{symmetry}-{field}-{type(written).__name__}.mtx"
            scipy.io.mmwrite(file, written, symmetry=symmetry, comment="a comment\n% another")
            check("matrices", file, lambda: solved(file), right, 1e-6)
file = "pattern.mtx"
scipy.io.mmwrite(file, sparse.coo_matrix(np.tril(np.ones((n, n)), 0)), field="pattern", symmetry="general")
check("matrices", file, lambda: solved(file), np.eye(n)[0], 1e-6)
with gzip.open("general-real.mtx.gz", "wb") as packed:
    packed.write(open("general-real-coo_matrix.mtx", "rb").read())
check("matrices", "gz", lambda: solved("general-real.mtx.gz"), np.linalg.solve(matrices["general"], np.ones(n)), 1e-6)

# Triangles and quadrilaterals: the area.
sphere, box = trimesh.creation.icosphere(subdivisions=2), trimesh.creation.box((1, 2, 3)).subdivide()
for name, mesh in [("sphere", sphere), ("box", box)]:
    area = lambda: run("smooth", file, "o.ply", "--steps", "1")["steps"][0]["area"]
    for end in ["ply", "off", "obj", "stl"]:
        file = f"{name}-trimesh.{end}"
        mesh.export(file)
        check("meshes", file, area, mesh.area, 1e-5)
    file = f"{name}-ascii.stl"
    mesh.export(file, file_type="stl_ascii")
    check("meshes", file, area, mesh.area, 1e-5)
    coloured = mesh.copy()
    coloured.visual.vertex_colors = random.integers(0, 255, (len(mesh.vertices), 4))
    for end in ["ply", "off", "obj"]:
        file = f"{name}-coloured.{end}"
        coloured.export(file)
        check("meshes", file, area, mesh.area, 1e-5)
    for end, binary in [("ply", True), ("ply", False), ("stl", True), ("stl", False)]:
        file = f"{name}-meshio-{binary}.{end}"
        meshio.Mesh(mesh.vertices, [("triangle", mesh.faces)]).write(file, binary=binary)
        check("meshes", file, area, mesh.area, 1e-5)


def largest(cells):
    """max u of -Δu = 1 on bilinear elements of a unit square with so many cells per side."""
    h = 1 / cells
    mass = h / 6 * sparse.diags([1, 4, 1], [-1, 0, 1], (cells - 1, cells - 1))
    stiffness = 1 / h * sparse.diags([-1, 2, -1], [-1, 0, 1], (cells - 1, cells - 1))
    a = sparse.kron(mass, stiffness) + sparse.kron(stiffness, mass)
    return spsolve(a.tocsc(), np.full((cells - 1) ** 2, h * h)).max()


# Gmsh: quadrilaterals with and without groups, and with half of them clockwise.
for cells in [2, 4]:
    points = np.array([[i / cells, j / cells, 0] for j in range(cells + 1) for i in range(cells + 1)])
    corner = np.array([j * (cells + 1) + i for j in range(cells) for i in range(cells)])
    quads = corner[:, None] + [0, 1, cells + 2, cells + 1]
    mixed = np.where((np.arange(len(quads)) % 2)[:, None] == 0, quads, quads[:, ::-1])
    for form in ["gmsh22", "gmsh"]:
        for name, these in [("quads", quads), ("mixed", mixed)]:
            file = f"{name}-{cells}-{form}.msh"
            ones = [np.ones(len(these), int)]
            data = {"gmsh:physical": ones, "gmsh:geometrical": ones} if form == "gmsh22" else {}
            meshio.Mesh(points, [("quad", these)], cell_data=data).write(file, file_format=form, binary=False)
            check("flat meshes", file, lambda: run("fem", file, "--levels", "2")["u_max"], largest(2 * cells), 1e-5)

# OpenEXR: channels, widths and compressions; the ratio of the largest to the smallest luminance.
colour = random.uniform(0.1, 2, (9, 11, 3)).astype("float32")
for kind in ["NO", "RLE", "ZIPS", "ZIP", "PIZ", "PXR24"]:
    for width in ["float16", "float32"]:
        file = f"{kind}-{width}.exr"
        pixels = colour.astype(width)
        header = {"compression": getattr(OpenEXR, kind + "_COMPRESSION"), "type": OpenEXR.scanlineimage}
        OpenEXR.File(header, {"RGB": pixels}).write(file)
        luminance = pixels.astype(float) @ [0.2126, 0.7152, 0.0722]
        ratio = luminance.max() / luminance.min()
        check("pictures", file, lambda: run("tonemap", file, "o.png")["original_contrast"], ratio, 2e-3)

for kind, count in counts.items():
    print(f"| files of other libraries: {kind} | {count} | read |")
print(f"| wrong values | {sum(counts.values())} | {wrong} |")
sys.exit(wrong > 0)
