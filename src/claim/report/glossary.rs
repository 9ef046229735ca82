//! The words that the page explains.

/// Words and what they mean, in the order in which a reader meets them.
pub const WORDS: [(&str, &str); 14] = [
    (
        "exact",
        "A class of claims: a count, a size, an optimum. It must come out equal on any machine.",
    ),
    (
        "tolerance",
        "A class of claims: a residual, a rate of convergence, an agreement. It must come out within a bound \
         that was set before the run.",
    ),
    (
        "shape",
        "A class of claims: a timing. Of it a ratio, an order or a slope is compared, which may differ from \
         machine to machine, and no seconds.",
    ),
    ("picture", "A class of claims: something to look at."),
    (
        "variant",
        "Whose method ran: the paper's as it describes it, or one of ours.",
    ),
    (
        "judged on",
        "What a verdict rests on: a count, a measurement here, the model of a card, or a picture.",
    ),
    (
        "model",
        "What a run would have taken on the card of the paper, from the counted instructions and fragments of \
         its programs. It is never called a measurement.",
    ),
    (
        "not run",
        "This driver lacks what the programs need. It says nothing about the claim, and no run fails by it.",
    ),
    (
        "fragment, pass",
        "A fragment is a pixel in the making, one call of a program. A pass is a program run over rectangles \
         of a texture.",
    ),
    (
        "fetch",
        "A read of a texel. The ceiling of a program is the time of a trivial one with as many fetches.",
    ),
    (
        "target switch",
        "A change of the texture that is drawn into. In 2003 it meant another pbuffer and cost as much as \
         many fragments; on a software renderer it still does.",
    ),
    (
        "NV30, R300",
        "The cards of 2003: GeForce FX 5800 and Radeon 9700, with the first fragment programs in floating \
         point.",
    ),
    (
        "llvmpipe",
        "Mesa's OpenGL on the CPU, the reference device: the same programs without a graphics card.",
    ),
    (
        "CPU twin",
        "A tuned, threaded program for the CPU that computes the same, timed in the same run.",
    ),
];
