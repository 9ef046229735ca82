//! The words explained on the page.

/// Words and their meaning, in the order of the page.
#[rustfmt::skip]
pub const WORDS: [(&str, &str); 32] = [
    ("reproduced", "The result is the paper's: a count is equal, a value is within its bound, the whole interval of a \
     ratio is within a factor of 1.5 of the paper's and on the same side of 1."),
    ("differs", "A count, or the whole interval of a ratio, is outside the range that would be reproduced."),
    ("undecided", "The interval of a timing contains a bound, or is within the floor of its machine of it; or the print \
     leaves it open. The reason gives the number of processes that would decide it."),
    ("not resolvable", "A bound of the row is closer to 1 than the floor of this device, so that no result here decides \
     it."),
    ("no longer decidable", "The statement is about the speed of a card of 2003 or of its driver. The model of that card does not \
     have its numbers, or was fitted to them, and times of other devices decide nothing. A kit decides it on the card."),
    ("not applicable", "The statement is about something that this device does not have, such as batches or a second \
     processor. The numbers are shown, and other machines decide it."),
    ("not reproduced", "A count, a bound or a picture whose result is not the paper's, or that could not be checked. \
     An exact or tolerance claim that is not reproduced makes the run fail."),
    ("not judged", "The claim ran with your inputs, on which the paper makes no statement; or it is a timing of a quick \
     run, which judges none."),
    ("not run", "This driver lacks a feature that the programs need. This is not evidence for or against the claim, \
     and does not make the run fail."),
    ("exact", "A class of claims: a count, a size, an optimum. It must be the same on any machine."),
    ("tolerance", "A class of claims: a residual, a rate of convergence, an agreement. It must be within the bound \
     of its row on any machine."),
    ("count", "A class of claims: a count that is compared with the paper's. It is judged, and does not make the run fail."),
    ("shape", "A class of claims: a ratio, an order or a slope of times, or of what decides them."),
    ("picture", "A class of claims: something to look at, judged on numbers of its content."),
    ("consistency", "A class of claims: arithmetic on the paper's own tables. It tests no program, and is not counted."),
    ("identity", "A class of claims: arithmetic that fails only through a bug. It is shown and tested, and not \
     counted."),
    ("fit", "A class of claims: a model compared with what it was fitted to. It is shown and tested, and not counted."),
    ("erratum", "A class of claims: printed formulas that cannot be meant, run as printed and as corrected. \
     `Reproduced`: each corrected formula keeps a bound that the printed one misses. It is shown and tested, and not \
     counted."),
    ("variant", "The method that ran: the paper's as described, or fragstream's variant. `paper, in part`: a part of \
     the paper's run is not built; the reason names it. `paper, beyond its card`: a program or a texture is larger \
     than the paper's card of 2003 allows."),
    ("judged on", "The basis of a verdict: a count, a measurement on this machine, the model of a GPU, a picture, a \
     driver's clock (counts multiplied by the times that a paper prints for them), or a trace: the programs' fetches \
     through every plausible texture cache of the paper's card. A statement that does not hold for all of these caches \
     is undecided."),
    ("interval", "After a timing: the range in which the mean of all possible processes is expected, by Student's t on \
     the logarithms of their medians (95 %). Values of one process have the range of the median of all possible rounds. \
     Several timings of a row have 95 % together when they are judged."),
    ("process", "A run starts fragstream six times for the timed rows of a paper. Each process races their works in random \
     order, six rounds, and is one number per value: timings change from process to process by more than within one."),
    ("floor", "The ratio that a machine cannot distinguish from 1: the root mean square of the logarithms of the ratios of \
     twins, which are one program that is compiled and allocated three times. It is the margin of every bound of a timing. \
     Results of older runs have a margin of 3 %."),
    ("model", "The estimated time of a run on the paper's GPU, from the counted instructions and fragments of its \
     programs. It is never called a measurement."),
    ("fragment, pass", "A fragment is a potential pixel, computed by one call of a program. A pass runs a program over \
     rectangles of a texture."),
    ("fetch", "A read of a texel."),
    ("ceiling", "The speed of a trivial program with the same number of fetches."),
    ("target switch", "A change of the texture that is drawn into. In 2003 this was another pbuffer and as expensive \
     as drawing many fragments."),
    ("NV30, R300", "The GPUs of 2003: GeForce FX 5800 and Radeon 9700, with the first fragment programs in floating \
     point."),
    ("Mesa's compiler", "Mesa's drivers for NV30 and R300 compile the programs to the words of these cards. Their numbers of \
     fetches, their numbers of instructions by kind, and whether a program fits R300 decide; their other counts are shown, \
     with and without moves."),
    ("llvmpipe", "Mesa's OpenGL on the CPU, the reference device: the same programs without a GPU."),
    ("CPU reference", "A threaded CPU program for the same computation, timed in the same run."),
];
