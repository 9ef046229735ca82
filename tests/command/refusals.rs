//! What is refused, one case per class of error: the exit code, the place and the remedy. Nothing is written.

use std::fs;

use crate::command::support::*;
use fragstream::io::raw::write_floats;
use fragstream::mesh::generate;
use image::{GrayImage, Luma};
use tempfile::TempDir;

/// A folder with inputs that are refused, and some that are not.
fn inputs() -> TempDir {
    let folder = folder_with("a.mtx", laplacian(3, 1.0));
    let file = |name: &str| folder.path().join(name);
    let text = |name: &str, text: &str| fs::write(file(name), text).unwrap();
    text("bad.mtx", &format!("{HEADER}2 2 2\n1 1 1\n2 3 1\n"));
    text("wide.mtx", &format!("{HEADER}2 3 2\n1 1 1\n2 3 1\n"));
    text("b.mtx", "%%MatrixMarket matrix array real general\n4 1\n1\n1\n1\n1\n");
    text("bad.ply", "ply\nformat ascii 1.0\nelement vertex\nend_header\n");
    text("wide.frag", "void main() {\n  result = here;\n}\n");
    text("bad.toml", "[west]\nvalue = \"hot\"\n");
    text("open.toml", "[west]\nvalue = 1\n");
    text("named.toml", "[sides]\nvalue = 20\n[picture]\npath = \"g.png\"\nwhite = 1000\n");
    text("free.toml", "[sides]\nslope = 1\n");
    text("liquid.toml", "gravty = [0, 0, 0]\n[grid]\nsize = [8, 8, 8]\nspacing = 0.1\n");
    // A few bytes do not claim all memory.
    text("n.mtx", &format!("{HEADER}4000000000 4000000000 1\n1 1 1\n"));
    text("bad.hdr", "hello");
    text("zero.mtx", &format!("{HEADER}2 2 2\n1 1 3.5e62\n2 2 1e300\n"));
    text("bad.msh", "$MeshFormat\n");
    text("bad.glsl", "vec2 place(vec2 p) { return p; }\n");
    write_floats(&file("short.f32"), [1.0; 24]).unwrap();
    let grey = GrayImage::from_pixel(50, 40, Luma([255]));
    grey.save(file("g.png")).unwrap();
    fragstream::io::write_mesh(&file("cube.ply"), &generate::cube(2)).unwrap();
    fs::create_dir(file("folder.png")).unwrap();
    folder
}

#[test]
fn what_is_wrong_is_named_with_its_remedy_and_nothing_is_written() {
    let folder = inputs();
    let there = names(&folder);
    let mut wrong = Vec::new();
    for (line, parts) in [
        // Usage, in clap's words.
        ("--nonsense", &["'--nonsense'"][..]),
        ("smoth a.ply b.ply", &["'smooth'"]),
        ("smooth cube.ply a.ply --out b.ply", &["--out"]),
        ("smooth a.ply b.ply --seed 3", &["--noise"]),
        ("list --ledger=xml", &["table, json"]),
        // Values of options.
        ("solve a.mtx --rtol -1", &["--rtol", "from 0 to 1"]),
        ("fem circle --rtol 1e308", &["--rtol", "from 0 to 1"]),
        ("jet --dt NaN", &["--dt", "above 0"]),
        ("poisson --size 1e3x5", &["as in 513x129"]),
        ("heat --smoother jacobi:0", &["jacobi:0.8"]),
        ("poisson --omega 0", &["chebyshev"]),
        ("wing --pitch 20,-1", &["frequency"]),
        ("liquid --size 0", &["from 1 to 640"]),
        ("water --steps 1e3", &["--steps", "integer from 1 to 4294967295"]),
        ("poisson --size 9 --pre 18446744073709551615", &["--pre", "from 0 to 10000"]),
        ("fluid --post 2147483648", &["--post", "from 0 to 10000"]),
        ("heat --coarsest-sweeps 10001", &["--coarsest-sweeps", "from 1 to 10000"]),
        ("heat --test-every 4294967295", &["--test-every", "from 1 to 10000"]),
        ("wing --cycles 1000000000", &["--cycles", "from 1 to 10000"]),
        ("poisson --size 9 --full 1000000000", &["--full", "from 1 to 10000"]),
        ("layouts vector --size 9 --rounds 18446744073709551615", &["--rounds", "from 1 to 10000"]),
        ("smooth bunny o.ply --noise 1 --seed x", &["--seed", "integer of at least 0"]),
        ("heat a.jpg", &["a.jpg: ", "(.toml)", "Give one of these"]),
        ("heat --extent 4x-3", &["--extent", "as in 4x3"]),
        ("solve a.mtx --layout rowz", &["rowz", "rows"]),
        ("fem circle --dirichlet inner=z;outer=0", &["--dirichlet", "column 1"]),
        ("poisson --preset robus", &["robust, paper, fmg"]),
        ("solve a.mtx --limit 2", &["as in 2GB"]),
        // Names of files that would not hold what is written to them.
        ("heat --png a.jpg", &["a name that ends in .png"]),
        ("poisson --out u.png", &["ends in .f32", "--png"]),
        ("smooth cube.ply out.step", &[".ply"]),
        // Places that cannot be written to.
        ("heat --png no/t.png", &["no/t.png: there is no folder no"]),
        ("heat --png folder.png", &["folder.png: is a folder"]),
        ("heat --csv t.csv --history t.csv", &["t.csv: two results", "Name two files"]),
        ("solve a.mtx --out a.mtx", &["a.mtx: the command reads this file", "--force"]),
        ("heat named.toml --png g.png", &["g.png: the command reads this file", "--force"]),
        ("heat --csv t.csv --film t.csv/film.html", &["no folder t.csv"]),
        ("reproduce --quick --out a.mtx/below", &["a.mtx/below: a.mtx is a file"]),
        // Options that do not go together.
        ("heat --pre 0 --post 0", &["--pre, --post"]),
        ("poisson --pre 0 --post 0", &["--pre and --post cannot both be 0"]),
        ("heat --test occlusion --norm l2", &["--norm max"]),
        ("heat --white 2", &["there is no picture"]),
        ("heat --boundary neumann", &["--boundary is for", "--problem manufactured"]),
        (
            "heat --problem flow --coordinates polar",
            &["--coordinates is for", "--problem manufactured"],
        ),
        ("heat --problem plate --west value=1", &["without --west", "Leave one"]),
        ("heat named.toml --problem plate", &["without a scene or picture", "Leave one"]),
        ("heat --problem manufactured --boundary periodic,neumann", &["west,east,south,north"]),
        (
            "heat --problem manufactured --boundary periodic,mixed,mixed,mixed",
            &["periodic one opposite"],
        ),
        ("heat --problem flow --size 32", &["an odd number of nodes, not 32"]),
        ("tonemap room --thin 0", &["at least 1"]),
        ("poisson --rhs ones --fit", &["--fit", "ones"]),
        ("solve a.mtx --method lu --layout rows", &["lu on columns"]),
        ("solve a.mtx --layout points --rect 4x4", &["--rect", "--layout rows"]),
        ("solve a.mtx --method multigrid", &["--prolongation P1.mtx"]),
        ("liquid --on gpu --preconditioner ic", &["run on the CPU"]),
        ("liquid --on cpu --index carry", &["--index applies to the GPU"]),
        ("dye --viscosity 3 --dt 1", &["stable"]),
        ("layouts matrix airfoil --method multigrid", &["solve --prolongation"]),
        ("layouts grid --size 9 --dimensions 3 --png g.png", &["two dimensions"]),
        ("film cg water wing", &["at most two"]),
        ("film spmv --grid 9", &["the size of this scene is fixed"]),
        ("film --course a.mtx --out c.html", &["a.mtx: not a valid course"]),
        ("list --film a.html", &["a.html: list draws nothing"]),
        ("solve zero.mtx --method gauss-seidel --png s.png", &["(counted from 1) is 3.5e62, "]),
        ("bench kruger2003 --rect 4x4", &["bolz2003"]),
        // Names of claims, scenes, matrices, boundaries.
        ("reproduce bolz2003/rectangel", &["bolz2003/rectangle"]),
        ("reproduce no-such-thing", &["fragstream list"]),
        ("reproduce bolz2003/vcycle --levels 7", &["none of these claims uses", "geveler2011/"]),
        ("reproduce geveler2011/table2 --levels 7,8", &["7,8", "an integer from 1 to 12"]),
        ("layouts matrix airfoul", &["Did you mean airfoil?"]),
        ("layouts matrix airfoil --layouts elpack", &["'ellpack'"]),
        ("fem cirle", &["did you mean circle?"]),
        ("fem circle --dirichlet inner=1", &["outer, circle"]),
        // Problems without a solution.
        (
            "poisson --size 9 --boundary neumann --rhs point --out u.f32",
            &["--remove-mean", "dirichlet"],
        ),
        ("poisson --rhs 1/(x-0.5)", &["--rhs 1/(x-0.5) is inf at (0.5, "]),
        ("heat free.toml", &["free.toml: ", "--make-up"]),
        ("fem circle --neumann outer=0 --neumann circle=0", &["pure Neumann", "--dirichlet"]),
        ("fem circle --levels 2 --dirichlet log(x)", &["--dirichlet log(x) is -inf at (0, 0)"]),
        // Sizes.
        ("poisson --size 100", &["100 x 100", "coarsened"]),
        ("heat --size 90000x2", &["limit of"]),
        ("fem circle --levels 12", &["33570816 unknowns", "take about 34.4 GB", "Give at most"]),
        ("layouts grid --size 1000001", &["1000003"]),
        ("layouts vector --size 99999999999", &["158114x158114"]),
        ("solve a.mtx --rect 1000000x1", &["1000000x1", "Choose sides"]),
        // Files.
        ("solve nothing.mtx", &["nothing.mtx: "]),
        ("solve bad.mtx --out x.mtx", &["bad.mtx: line 4"]),
        ("layouts matrix n.mtx", &["n.mtx: 4000000000 rows or columns: needs about 256.0 GB"]),
        ("solve wide.mtx", &["wide.mtx: ", "2 x 3"]),
        ("solve a.mtx --rhs b.mtx", &["b.mtx: ", "4 values"]),
        ("smooth bad.ply out.ply", &["bad.ply: line 3"]),
        ("smooth cube.ply out.ply --noise 1e39", &["out.ply: not written: vertex "]),
        ("listing wide.frag", &["wide.frag:2:10: ", "vec2 where vec4", "Convert"]),
        ("heat bad.toml", &["bad.toml: line 2: invalid type"]),
        ("heat open.toml", &["open.toml: the east side has no condition", "--east value=20"]),
        ("liquid liquid.toml", &["liquid.toml: line 1", "did you mean gravity?"]),
        ("tonemap bad.hdr out.png", &["bad.hdr: "]),
        ("tonemap bad.hdr out.png --beta 1.2", &["beta is 1.2"]),
        ("fem bad.msh", &["bad.msh: "]),
        ("poisson --size 5 --rhs short.f32", &["short.f32: ", "96 bytes", "are 100", "5x5"]),
        ("poisson --rhs g.png --png u.png", &["g.png: ", "50x40", "to 61x49 by --fit"]),
        ("poisson --rhs g.png --size 65 --png u.png", &["g.png: ", "50x40", "65x65", "--fit"]),
        ("wing --operator bad.glsl", &["bad.glsl", "metric"]),
    ] {
        let mut command = fragstream(&folder, line);
        let message = fails(&mut command, 2);
        if !parts.iter().all(|part| message.contains(part)) {
            wrong.push(format!("{line}: no {parts:?} in {message}"));
        }
        command.assert().stdout("");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(names(&folder), there);
}

#[test]
fn bad_input_is_found_before_a_driver_is_needed() {
    let folder = inputs();
    for line in ["solve nothing.mtx", "poisson --size 100", "heat bad.toml", "fem bad.msh"] {
        let mut command = fragstream(&folder, line);
        let message = fails(command.env("FRAGSTREAM_DEVICE", "99"), 2);
        assert!(!message.contains("FRAGSTREAM_DEVICE"), "{message}");
    }
    let message = fails(fragstream(&folder, "info").env("FRAGSTREAM_DEVICE", "99"), 2);
    assert_says(&message, &["FRAGSTREAM_DEVICE", "99", "Give a number"]);
}

#[test]
fn the_cause_of_a_file_that_cannot_be_read_is_given_once() {
    let folder = inputs();
    for line in [
        "solve no.mtx",
        "solve a.mtx --rhs no.mtx",
        "liquid no.toml",
        "listing no.mtx",
        "fem no.msh",
    ] {
        let message = fails(&mut fragstream(&folder, line), 2);
        assert!(message.matches("os error").count() < 2 && message.contains("no."), "{message}");
    }
}

#[test]
fn a_file_that_a_scene_names_is_replaced_by_force_only() {
    let folder = inputs();
    let picture = folder.path().join("g.png");
    let before = fs::read(&picture).unwrap();
    let line = "heat named.toml --size 17x13 --png";
    fails(&mut fragstream(&folder, &format!("{line} ./g.png")), 2);
    assert_eq!(fs::read(&picture).unwrap(), before);
    succeeds(&mut fragstream(&folder, &format!("{line} other.png")));
    succeeds(&mut fragstream(&folder, &format!("{line} g.png --force")));
    assert_ne!(fs::read(&picture).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn a_file_in_a_folder_of_results_that_the_command_reads_is_replaced_by_force_only() {
    let scene = "time_step = 0.01\n[grid]\nsize = [4, 4, 4]\nspacing = 0.25\n\
                 [[liquid]]\nfrom = [0, 0, 0]\nto = [0.5, 0.5, 0.5]\n";
    let mesh = include_str!("../cases/unit_square.msh");
    for (line, contents, derived) in [
        ("fem in.msh --levels 2 --matrices o", mesh, "A_1.mtx"),
        ("fem in.msh --levels 2 --matrices o", mesh, "x_2.mtx"),
        ("liquid in.toml --steps 2 --every 1 --frames o", scene, "frame-0001.png"),
        ("liquid in.toml --steps 2 --every 1 --surfaces o", scene, "surface-0000.ply"),
    ] {
        // The input is a link to a file that has the name of a result.
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("o").join(derived);
        fs::create_dir(folder.path().join("o")).unwrap();
        fs::write(&file, contents).unwrap();
        let input = line.split(' ').nth(1).unwrap();
        std::os::unix::fs::symlink(&file, folder.path().join(input)).unwrap();
        let message = fails(&mut fragstream(&folder, line), 2);
        assert_says(&message, &[derived, "--force"]);
        assert_eq!(fs::read_to_string(&file).unwrap(), contents, "{line}");
        fragstream(&folder, &format!("{line} --force")).assert().code(0);
        assert_ne!(fs::read(&file).unwrap(), contents.as_bytes(), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_exit_2() {
    let folder = inputs();
    for name in ["full.png", "full.f32", "full.mtx", "full.ply"] {
        std::os::unix::fs::symlink("/dev/full", folder.path().join(name)).unwrap();
    }
    for line in [
        "heat --size 17x13 --png full.png",
        "heat --size 17x13 --out full.f32",
        "heat --size 17x13 --history /dev/full",
        "solve a.mtx --out full.mtx",
        "smooth cube.ply full.ply --steps 0",
    ] {
        let message = fails(&mut fragstream(&folder, line), 2);
        assert_says(&message, &["full", "No space left"]);
    }
}

#[test]
fn without_texture_barriers_layouts_keep_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let output = fragstream(&folder, "layouts grid --size 17 --rounds 1")
        .env("MESA_GL_VERSION_OVERRIDE", "3.3")
        .env("MESA_EXTENSION_OVERRIDE", "-GL_ARB_texture_barrier -GL_NV_texture_barrier")
        .output()
        .unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    let lines = ["quadrants, border copied: not timed", "quadrants, border fused  "];
    assert_says(&table, &lines);
}
