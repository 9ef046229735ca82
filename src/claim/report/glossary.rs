//! The words that the page explains.

/// Words and their meaning, in the order in which a reader meets them.
pub const WORDS: [(&str, &str); 22] = [
    (
        "reproduced",
        "It came out as the paper says: a count is equal, a value is within its bound, a ratio lies within half to \
         twice the paper's effect with 95 % confidence.",
    ),
    (
        "differs",
        "A timing came out otherwise: its whole interval lies outside of what would be reproduced.",
    ),
    (
        "undecided",
        "The interval of a timing straddles a bound after its time was spent. More rounds, or a quieter machine, may \
         decide it.",
    ),
    (
        "not reproduced",
        "A count, a bound or a picture that did not come out, or could not be checked. An exact or tolerance claim \
         that is not reproduced makes the run fail.",
    ),
    (
        "not judged",
        "The claim ran with inputs of yours, of which the paper says nothing.",
    ),
    (
        "not run",
        "This driver lacks what the programs need. That says nothing about the claim, and makes no run fail.",
    ),
    (
        "exact",
        "A class of claims: a count, a size, an optimum. It must be equal on any machine.",
    ),
    (
        "tolerance",
        "A class of claims: a residual, a rate of convergence, an agreement. It must be within a bound that was set \
         before the run.",
    ),
    (
        "shape",
        "A class of claims: a timing. A ratio, an order or a slope is compared, never seconds.",
    ),
    (
        "picture",
        "A class of claims: something to look at, judged on numbers of its content.",
    ),
    (
        "identity",
        "A class of claims: arithmetic that fails only through a bug. It is shown and tested, and not counted.",
    ),
    (
        "variant",
        "Whose method ran: the paper's as it describes it, or fragstream's.",
    ),
    (
        "judged on",
        "What a verdict rests on: a count, a measurement on this machine, the model of a GPU, or a picture.",
    ),
    (
        "interval",
        "In brackets after a median: where the median of all possible rounds lies with 95 % confidence.",
    ),
    (
        "model",
        "What a run would have taken on the paper's GPU, from the counted instructions and fragments of its programs. \
         It is never called a measurement.",
    ),
    (
        "fragment, pass",
        "A fragment is a pixel in the making, one call of a program. A pass is a program run over rectangles of a \
         texture.",
    ),
    ("fetch", "A read of a texel."),
    (
        "ceiling",
        "The speed of a trivial program with as many fetches.",
    ),
    (
        "target switch",
        "A change of the texture that is drawn into. In 2003 it meant another pbuffer and cost as much as many \
         fragments.",
    ),
    (
        "NV30, R300",
        "The GPUs of 2003: GeForce FX 5800 and Radeon 9700, with the first fragment programs in floating point.",
    ),
    (
        "llvmpipe",
        "Mesa's OpenGL on the CPU, the reference device: the same programs without a GPU.",
    ),
    (
        "CPU reference",
        "A threaded program for the CPU that computes the same, timed in the same run.",
    ),
];
