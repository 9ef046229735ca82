//! Every program of `glsl/`, assembled: what its text leaves open is settled here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::LazyLock;

use fragstream::card::interpret::{Finding, Witness};
use fragstream::random::SplitMix64;
use fragstream::stream::{Constant, Format, Kernel, Machine, Part, Pass, Point, Source, Stream};

/// What a text leaves open, one program a line; one that leaves nothing open has none.
///
/// `program + parts in front @ vertex program: settings`; a file of the program's paper goes by its
/// name alone. A setting in capitals is a `#define`. Of the others numbers are a constant, `places` is
/// a stream of pointers to records, `positive` one of numbers from 1 to 2.
const OPEN: &str = "
batty2003/picture/backdrop + camera studio: eye=0.47 0.63 2.51; forward=0.02 -0.6 -0.8; right=0.8 0 0; up=0 0.4 -0.3; extent=1 0.8 1; region=-1.03 -1.07 3.1 5.3; texels=23 13; light=positive; line=0.2
batty2003/picture/body @ sheet
batty2003/picture/glass + camera studio: eye=0.47 0.63 2.51; forward=0.02 -0.6 -0.8; right=0.8 0 0; up=0 0.4 -0.3; extent=1 0.8 1; inside=positive
batty2003/picture/light @ sheet
batty2003/picture/liquid + camera studio: eye=0.47 0.63 2.51; forward=0.02 -0.6 -0.8; right=0.8 0 0; up=0 0.4 -0.3; extent=1 0.8 1; behind=positive; entry=positive; leave=positive
batty2003/picture/liquid + camera studio: FAR=1; eye=0.47 0.63 2.51; forward=0.02 -0.6 -0.8; right=0.8 0 0; up=0 0.4 -0.3; extent=1 0.8 1; behind=positive; leave=positive
batty2003/picture/surface @ sheet
batty2003/pressure/position + index_frac offsets_prebuilt: columns=23; width=23; inv_width=0.04347826; how_far=5 0.2173913
batty2003/pressure/quotient: below=positive
batty2003/pressure/septdiagmul + index_frac offsets_prebuilt entries_float matrix_seven: width=23; inv_width=0.04347826; x_offset=1 0.04347826; y_offset=5 0.2173913; z_offset=30 1.3043479
batty2003/pressure/septdiagmul + index_skew offsets_built entries_byte matrix_one: width=23; inv_width=0.04347826; x_offset=1 0; y_offset=5 0; z_offset=30 0
batty2003/pressure/septdiagmul + index_divmod offsets_prebuilt entries_float matrix_seven: width=23; x_offset=1 0; y_offset=5 0; z_offset=30 0
batty2003/pressure/septdiagmul + index_carry offsets_prebuilt entries_float matrix_seven: width=23; x_offset=1 0; y_offset=5 0; z_offset=7 1
batty2003/pressure/septdiagmul + index_slices offsets_prebuilt entries_float matrix_seven: x_offset=1 0; y_offset=5 0; z_offset=0 1
bolz2003/fluid/advect + bilinear
bolz2003/fluid/divergence + grid_inner sides_none
bolz2003/fluid/divergence + grid_nodes grid_border sides_normal
bolz2003/fluid/layer_velocity + grid_nodes grid_border: COMPONENT=x; NODE(p)=conditioned_x(p)
bolz2003/fluid/layer_velocity + grid_inner: COMPONENT=y; NODE(p)=advected(p)
bolz2003/fluid/outflow_correction: STRIPS=4.0
bolz2003/fluid/outflow_strips: STRIP=8.0
bolz2003/fluid/pictures/dye + bilinear: spacing=0.5
bolz2003/fluid/pictures/field + bilinear: COLOURS=23.0; range=-0.5 0.75; spacing=0.5
bolz2003/fluid/pictures/move_particles + bilinear
bolz2003/fluid/subtract_gradient + grid_nodes grid_border: AXIS=vec2(1.0, 0.0); EXTENT(i)=WIDTH(i)
bolz2003/grid/coarsest_inverse + grid_inner: COLUMNS=3.0; ROWS=2.0
bolz2003/grid/copy_nodes + grid_nodes grid_border
bolz2003/grid/copy_nodes + grid_nodes grid_owned
bolz2003/grid/layer + grid_nodes grid_border
bolz2003/grid/stencil/ceiling + stencil_entries: RIGHT_SIDE=fetch(b, here)
bolz2003/grid/stencil/compose + stencil_entries grid_inner
bolz2003/grid/stencil/jacobi + stencil_entries stored_stencil grid_nodes grid_border: a_00=positive
bolz2003/grid/stencil/product + stencil_entries interpolated_stencil grid_inner @ neighbours
bolz2003/grid/stencil/product + grid_nodes grid_border constant_five_point
bolz2003/grid/stencil/residual + grid_inner constant_nine_point
bolz2003/grid/stencil/residual + grid_surrounded grid_inner constant_five_point
bolz2003/grid/stencil/scale_by_diagonal + stencil_entries stored_stencil grid_inner: a_00=positive
bolz2003/grid/transfer/correct + grid_nodes grid_border
bolz2003/grid/transfer/interpolate + grid_inner
bolz2003/grid/transfer/project + grid_nodes grid_border
bolz2003/sparse/diagonal: ROW_LENGTH=5.0; row_pointer=places; column_pointer=places
bolz2003/sparse/long_program: ROUNDS=129.0
bolz2003/sparse/off_diagonal: column_pointer=places; next=places; previous=places; zero=0.5 0.5
bolz2003/sparse/right_hand_side: ROW_LENGTH=5.0; row_pointer=places; column_pointer=places
bolz2003/sparse/spmv: ROW_LENGTH=6.0; row_pointer=places; column_pointer=places
bolz2003/sparse/spmv_ceiling: ROW_LENGTH=6.0; COLUMNS=23.0; row_pointer=places; column_pointer=places
bolz2003/sparse/spmv_continued: ROW_LENGTH=6.0; row_pointer=places; column_pointer=places
geveler2011/combine + stream/error_free pairs: one=1
geveler2011/combine + native
geveler2011/correct + single packed tiles row: ROW_LENGTH=4.0; matrix=places; tile=5 3; line_end=20
geveler2011/correct + stream/error_free pairs apart tiles row_r: ROW_LENGTH=4.0; columns=places; row_lengths=places; tile=5 3; line_end=20; one=1
geveler2011/ellpack + single packed tiles row: ROW_LENGTH=4.0; matrix=places; tile=5 3; line_end=20
geveler2011/ellpack + single packed tiles row_r: ROW_LENGTH=4.0; matrix=places; row_lengths=places; tile=5 3; line_end=20
geveler2011/ellpack + single apart tiles row_r: ROW_LENGTH=4.0; columns=places; row_lengths=places; tile=5 3; line_end=20
geveler2011/ellpack + stream/error_free pairs packed tiles row: ROW_LENGTH=4.0; matrix=places; tile=5 3; line_end=20; one=1
geveler2011/ellpack + stream/error_free pairs packed tiles row_r: ROW_LENGTH=4.0; matrix=places; row_lengths=places; tile=5 3; line_end=20; one=1
geveler2011/ellpack + native packed tiles row: ROW_LENGTH=4.0; matrix=places; tile=5 3; line_end=20
geveler2011/ellpack + native apart tiles row_r: ROW_LENGTH=4.0; columns=places; row_lengths=places; tile=5 3; line_end=20
geveler2011/multiply + stream/error_free pairs: one=1
geveler2011/multiply + native
geveler2011/product_arithmetic + native packed: ROW_LENGTH=4.0; matrix=places
geveler2011/product_arithmetic + stream/error_free pairs packed: ROW_LENGTH=4.0; matrix=places; one=1
geveler2011/product_ceiling + packed: ROW_LENGTH=4.0; matrix=places; tile=5 3; line_end=20
geveler2011/residual + single packed tiles row: ROW_LENGTH=4.0; matrix=places; tile=5 3; line_end=20
geveler2011/residual + single apart tiles row_r: ROW_LENGTH=4.0; columns=places; row_lengths=places; tile=5 3; line_end=20
geveler2011/residual + stream/error_free pairs packed tiles row_r: ROW_LENGTH=4.0; matrix=places; row_lengths=places; tile=5 3; line_end=20; one=1
geveler2011/residual + native packed tiles row_r: ROW_LENGTH=4.0; matrix=places; row_lengths=places; tile=5 3; line_end=20
geveler2011/sweep + single packed tiles row_r: ROW_LENGTH=4.0; matrix=places; row_lengths=places; tile=5 3; line_end=20
geveler2011/sweep + stream/error_free pairs packed tiles row: ROW_LENGTH=4.0; matrix=places; tile=5 3; line_end=20; one=1
geveler2011/sweep + native packed tiles row: ROW_LENGTH=4.0; matrix=places; tile=5 3; line_end=20
goodnight2003/multigrid/fast/interpolate + weights_computed @ four: coarse_inside=0.5 0.5 11.5 6.5
goodnight2003/multigrid/fast/residual + condition @ neighbours: inside=0.5 0.5 22.5 12.5
goodnight2003/multigrid/fast/residual + red_black condition_folded @ neighbours: inside=0.5 0.5 22.5 12.5
goodnight2003/multigrid/fast/smooth + condition relaxed_jacobi @ neighbours: inside=0.5 0.5 22.5 12.5
goodnight2003/multigrid/fastpath/interpolate + weights_stored @ four
goodnight2003/multigrid/fastpath/residual @ neighbours
goodnight2003/multigrid/fastpath/restrict_and_sweep + restrict_fastpath red_black relaxed_stored @ nine: operator_map=positive
goodnight2003/multigrid/fastpath/smooth + red_black relaxed_stored @ neighbours: operator_map=positive; colour=1
goodnight2003/multigrid/maps/coarser_operator + general weight_uneven share: size=12 7; periodic=0 1
goodnight2003/multigrid/maps/fold_leak + condition: held=2
goodnight2003/multigrid/maps/fold_operator + condition
goodnight2003/multigrid/maps/fold_source + condition
goodnight2003/multigrid/maps/operator + metric_polar: METRIC(p)=metric(p); columns=positive; rows=positive
goodnight2003/multigrid/maps/scales + metric_log_polar: METRIC(p)=metric(p)
goodnight2003/multigrid/original/interpolate + general weight_even: coarse_size=12 7; periodic=0 1
goodnight2003/multigrid/original/residual + general condition: periodic=0 1
goodnight2003/multigrid/original/smooth + general condition relaxed_computed: periodic=0 1
goodnight2003/multigrid/original/smooth + general red_black condition_folded relaxed_stored: operator_map=positive; red_black_map=positive; colour=1; periodic=0 1
goodnight2003/multigrid/restrict + restrict_fast @ nine: fine_inside=0.5 0.5 22.5 12.5
goodnight2003/multigrid/restrict + general restrict_original: size=12 7; periodic=0 1
goodnight2003/multigrid/restrict + general weight_uneven share restrict_uneven: size=12 7; periodic=1 0
goodnight2003/multigrid/restrict_and_sweep + general condition restrict_original relaxed_computed: size=12 7; periodic=0 1
goodnight2003/speed/smooth_quadrants @ neighbours: west=positive; east=positive; south=positive; north=positive
goodnight2003/tonemap/attenuation: gradient=positive; shrink=0.5
goodnight2003/tonemap/colour: colours=positive
goodnight2003/tonemap/luminance: colours=positive
goodnight2003/wing/far + grid
goodnight2003/wing/nodes + metric_joukowski: MIDDLE_X=-0.1; MIDDLE_Y=0.1; RADIUS=1.1; EDGE_ANGLE=-0.1; SCALE=0.25; PIVOT=0.1; METRIC(p)=metric(p); PLACE(p)=place(p); spacing=0.05 0.3; period=20
goodnight2003/wing/picture + metric_log_polar: COORDINATES(z)=coordinates(z); spacing=0.1 0.3; corner=-5 -3; sample_step=0.3; pivot=0.1 0.2; axis=0.6 0.8
goodnight2003/wing/probe + grid fluxes
goodnight2003/wing/rate + grid fluxes: nodes=positive
goodnight2003/wing/source + grid
goodnight2003/wing/transport + grid fluxes: nodes=positive; operator=positive
goodnight2003/wing/wall: nodes=positive
kruger2003/matrices/column: CONTINUED=1; entry=2.5 1.5; channel=0 1 0 0
kruger2003/matrices/columns: COLUMNS=5.0; size=5 3; across=4; first_tile=2 1; first_entry=3.5 1.5
kruger2003/matrices/columns: COLUMNS=8.0; CONTINUED=1; QUADS=1; size=5 3; across=4; first_tile=0 0; first_entry=0.5 0.5
kruger2003/matrices/columns: COLUMNS=48.0; size=5 3; across=4; first_tile=0 0; first_entry=0.5 0.5
kruger2003/matrices/diagonals: DIAGONALS=14; CONTINUED=1; shift0=22 12 0; shift1=5 0 0; shift2=0 7 0
kruger2003/matrices/diagonals: DIAGONALS=3; TRANSPOSED=1; UNALIGNED=1; shift0=3 2 1; shift1=22 12 3; shift2=0 0 2
kruger2003/matrices/matrix_product: COLUMNS=5.0; CONTINUED=1; size=5 3; across=4; first_tile=2 1; first_entry=3.5 1.5
kruger2003/matrices/matrix_product: COLUMNS=48.0; size=5 3; across=4; first_tile=2 1; first_entry=3.5 1.5
kruger2003/simulation/carry_dye + interpolate_linear: size=18 8
kruger2003/simulation/carry_dye + interpolate_cubic: size=18 8
kruger2003/simulation/explicit + interpolate_linear: size=18 8
kruger2003/simulation/explicit + interpolate_cubic: size=18 8
kruger2003/simulation/fluid_picture + interpolate_linear
kruger2003/simulation/fluid_picture + interpolate_linear: SPEED=1
kruger2003/simulation/project: size=18 8; slip=-1
kruger2003/simulation/signed_picture + interpolate_linear: spacing=0.8
kruger2003/simulation/stroke: a=5 5; b=18 8; origin=2 2; radius=4
kruger2003/simulation/water_picture + interpolate_linear: relief=0.05; eye=0.5 -0.9 1.1; forward=0 0.75 -0.66; right=0.8 0 0; up=0 0.5 0.6
kruger2003/solvers/divide_by_pivots: a=positive; size=5 3; across=4
kruger2003/solvers/lu_step: a=positive; size=5 3; across=4; number=6 8; place_k=1.5 1.5; place_p=3.5 1.5; tile_k=2 1
kruger2003/solvers/permute: places=places
kruger2003/solvers/pivot: BEYOND=16777216.0; size=5 3; number=7; tile_k=1 2
kruger2003/solvers/pivot: BEYOND=16777216.0; FIND_ROW=1; size=5 3; number=7; tile_k=1 2; largest=0.5
kruger2003/solvers/substitute: tile=5 3; place=1.5 2.5
kruger2003/solvers/substitute: DIVIDED=1; tile=5 3; place=1.5 2.5
mesh/lit @ sheet
stream/bounded/reduce: COMBINE(a, b)=max(a, b); IDENTITY=-1e30; first=-0.5 -0.5
stream/bounded/reduce_product: COMBINE(a, b)=min(a, b); IDENTITY=1e30; first=-0.5 -0.5
stream/pad: CHANNELS=4.0; IDENTITY=1.0; SOURCE=fetch(x, here) * fetch(y, here); end=70 12.5
stream/probe/rounding + error_free: one=1
stream/reduce: COMBINE(a, b)=((a) + (b)); first=-0.5 -0.5
stream/reduce_product: COMBINE(a, b)=((a) + (b)); first=-0.5 -0.5
stream/reduce_quadrants: COMBINE(a, b)=((a) + (b)); quadrant=12 7
stream/vector_op: COMBINE(a, b)=((a) * (b))
layouts/quarters: DIAGONALS=14; CONTINUED=1; shift0=22 12 3 0; shift1=5 0 0 0; shift2=0 7 2 0
layouts/quarters: DIAGONALS=3; CONTINUED=1; SUBTRACTED=1; TRANSPOSED=1; STACKED=1; first_row=4; size=23 5; shift0=22 2 3 8; shift1=5 0 0 4; shift2=0 3 2 0
layouts/quarters: DIAGONALS=3; TRANSPOSED=1; INNER=1; size=23 13; shift0=22 -4 0 0; shift1=5 1 0 0; shift2=0 3 0 0
layouts/quarters: DIAGONALS=3; INNER=1; size=23 13; shift0=22 -4 0 0; shift1=5 1 0 0; shift2=0 3 0 0
layouts/quarters: DIAGONALS=7; INNER=1; PATTERN=1; size=23 13; shift0=22 -4 0 -0.2; shift1=5 1 0 0.3; shift2=0 3 0 1
view/present: ratio=1.25 0.875; corner=4 3; extent=14 8
view/texture: texels=0.3125 0.4375; lines=0.5
";

/// A surface for the program of meshes.
const SHEET: &str = "out vec3 from_centre; out vec3 place; out vec3 outward; out vec3 colour;
    out vec2 straight; out float way; void main() { gl_Position = placed;
    from_centre = vec3(0.03 * corner, 0.01 * corner.x - 0.02 * corner.y);
    place = from_centre; outward = vec3(0.2) + from_centre; colour = place.yzx;
    straight = 0.7 * corner + 0.2 * corner.yx; way = 0.1 * corner.y; }";

/// Columns and rows of all streams and targets.
const SIZE: (u32, u32) = (23, 13);

/// Whether a setting goes in front of the text.
fn is_define(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
}

/// A line of [`OPEN`].
#[derive(Debug)]
pub struct Open {
    pub program: &'static str,
    pub parts: Vec<&'static str>,
    vertex: Option<&'static str>,
    settings: Vec<(&'static str, &'static str)>,
}

/// All files below `glsl/`, with their paths relative to the repository.
pub fn files() -> &'static [(String, String)] {
    fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                collect(&path, files);
            } else if !path.ends_with("README.md") {
                files.push(path);
            }
        }
    }
    static FILES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = Vec::new();
        collect(&root.join("glsl"), &mut files);
        files.sort();
        let read = |path: PathBuf| {
            let name = path.strip_prefix(root).expect("below the root");
            let text = fs::read_to_string(&path).expect("a text");
            (name.display().to_string(), text)
        };
        files.into_iter().map(read).collect()
    });
    &FILES
}

/// Each line of [`OPEN`], and each file that none is for.
pub fn assembled() -> Vec<Open> {
    let lines = OPEN.lines().filter(|line| !line.is_empty());
    let mut lines: Vec<Open> = lines.map(Open::new).collect();
    let named: BTreeSet<&str> = lines.iter().map(|line| line.program).collect();
    let files = files().iter().filter_map(|(file, _)| {
        let name = file.strip_prefix("glsl/")?;
        name.strip_suffix(".frag")
    });
    lines.extend(files.filter(|file| !named.contains(file)).map(Open::new));
    lines
}

impl Open {
    fn new(line: &'static str) -> Self {
        let (head, settings) = line.split_once(": ").unwrap_or((line, ""));
        let (head, vertex) = match head.split_once(" @ ") {
            Some((head, vertex)) => (head, Some(vertex)),
            None => (head, None),
        };
        let (program, parts) = head.split_once(" + ").unwrap_or((head, ""));
        let settings = settings.split("; ").filter_map(|one| one.split_once('='));
        Self {
            program,
            parts: parts.split_whitespace().collect(),
            vertex,
            settings: settings.collect(),
        }
    }

    fn setting(&self, name: &str) -> Option<&'static str> {
        let mut settings = self.settings.iter();
        settings.find_map(|&(known, value)| (known == name).then_some(value))
    }

    /// The text of a file: by its path below `glsl/`, or by its name alone below the folder of the
    /// program's paper.
    fn text(&self, name: &str) -> &'static str {
        let paper = self.program.split('/').next().expect("a folder");
        let is_named = |file: &str| match name.contains('/') {
            true => file == format!("glsl/{name}"),
            false => {
                file.starts_with(&format!("glsl/{paper}/")) && file.ends_with(&format!("/{name}"))
            }
        };
        let mut named = files().iter().filter(|(file, _)| is_named(file));
        let (Some((_, text)), None) = (named.next(), named.next()) else {
            panic!("{name} for {}: no such file, or several", self.program);
        };
        // That of meshes has a head of its own, and is put behind that of rectangles here.
        text.replace("#version 330 core", "")
            .replace("out vec4 result;", "")
            .leak()
    }

    pub fn kernel(&self, machine: &Machine) -> Rc<Kernel> {
        let own = self.text(&format!("{}.frag", self.program));
        let part = |name: &&str| Part {
            name: "",
            text: self.text(&format!("{name}.glsl")),
        };
        let parts = self.parts.iter().map(part);
        let source = Source::new(format!("{self:?}").leak(), own, &[]).with(parts);
        let defines = self.settings.iter().copied();
        let defines: Vec<_> = defines.filter(|(name, _)| is_define(name)).collect();
        let kernel = match self.vertex {
            Some(name) => {
                let text = match name {
                    "sheet" => SHEET,
                    _ => self.text(&format!("{name}.vert")),
                };
                machine.kernel(
                    &source.with_vertices(&Source::new(name.to_owned().leak(), text, &[])),
                    &defines,
                )
            }
            None if own.contains("in float value;") => {
                machine.kernel(&source.for_points(), &defines)
            }
            None => machine.kernel(&source, &defines),
        };
        kernel.unwrap_or_else(|error| panic!("{self:?}: {error}"))
    }

    /// Random records.
    fn stream(&self, machine: &Machine, name: &str, random: &mut SplitMix64) -> Stream {
        let mut data = random.vector(4 * (SIZE.0 * SIZE.1) as usize);
        match self.setting(name) {
            Some("places") => {
                let place =
                    |number: f32, length: u32| ((number + 1.0) * 0.5 * length as f32).floor() + 0.5;
                for record in data.chunks_exact_mut(2) {
                    record[0] = place(record[0], SIZE.0);
                    record[1] = place(record[1], SIZE.1);
                }
            }
            Some("positive") => data
                .iter_mut()
                .for_each(|number| *number = 1.5 + 0.5 * *number),
            _ => {}
        }
        Stream::from_data(machine, name, SIZE, Format::Rgba32F, &data).expect("memory")
    }

    /// The numbers of a constant: its own, or some of its kind.
    fn constant(&self, kind: &str, name: &str) -> Constant {
        let [columns, rows] = [SIZE.0, SIZE.1].map(|n| n as f32);
        let given = self.setting(name).map(|value| {
            let numbers = value
                .split(' ')
                .map(|number| number.parse().expect("a number"));
            numbers.collect::<Vec<f32>>()
        });
        let numbers = given.unwrap_or_else(|| match (kind, name) {
            (_, "size" | "extent" | "fine_size" | "picture") => vec![columns, rows],
            (_, "last" | "end" | "cells") => vec![columns - 1.0, rows - 1.0],
            (_, "ends") => vec![0.0, columns - 1.0, 0.0, rows - 1.0],
            (_, "kept") => vec![1.0, columns - 2.0, 0.0, rows - 1.0],
            ("float", _) => vec![0.7],
            ("vec2", _) => vec![3.0, 2.0],
            ("vec3", _) => vec![0.3, 0.5, 0.8],
            _ => vec![0.2, 0.4, 0.6, 0.9],
        });
        match numbers[..] {
            [x] => x.into(),
            [x, y] => [x, y].into(),
            [x, y, z] => [x, y, z].into(),
            [x, y, z, w] => [x, y, z, w].into(),
            _ => panic!("{self:?}: {name}"),
        }
    }

    /// Runs the program while a witness looks on.
    pub fn finding(&self, machine: &Machine) -> Finding {
        let kernel = self.kernel(machine);
        let witness = Rc::new(Witness::default());
        let _observation = machine
            .observe(Rc::clone(&witness) as _)
            .expect("no streams");
        let mut constants = self.settings.iter().filter(|(name, _)| !is_define(name));
        assert!(constants.all(|(name, _)| kernel.declares(name)), "{self:?}");
        let random = &mut SplitMix64::new(1);
        let text = [&kernel.text().vertex, &kernel.text().fragment]
            .map(String::as_str)
            .join(";");
        let declared = text
            .split(';')
            .filter_map(|one| one.rsplit_once("uniform "));
        let declared = declared.filter_map(|(_, one)| one.split_once(' '));
        let (mut streams, mut constants) = (Vec::new(), Vec::new());
        let declared: BTreeMap<&str, &str> = declared.map(|(kind, name)| (name, kind)).collect();
        for (name, kind) in declared
            .into_iter()
            .filter(|(name, _)| kernel.declares(name))
        {
            match kind {
                "stream" => streams.push((name, self.stream(machine, name, random))),
                _ => constants.push((name, self.constant(kind, name))),
            }
        }
        let mut pass = Pass::new(&kernel);
        for (name, stream) in &streams {
            pass = pass.read(name, stream);
        }
        for (name, constant) in constants {
            pass = pass.set(name, constant);
        }
        let target = Stream::zeros(machine, "target", SIZE, Format::Rgba32F).expect("memory");
        let drawn = match kernel.name().ends_with("for points") {
            true => {
                let point = |k: i32| Point {
                    target: [k % 23, k % 13],
                    value: random.signed() as f32,
                    source: [7 * k % 23, 5 * k % 13],
                };
                let points: Vec<Point> = (0..23 * 13).map(point).collect();
                pass.draw(&target, machine.points(&points).expect("memory"))
            }
            false => pass.draw(&target, target.full()),
        };
        drawn.unwrap_or_else(|error| panic!("{self:?}: {error}"));
        let findings = witness.findings();
        findings.into_values().next().expect("a pass was seen")
    }
}
