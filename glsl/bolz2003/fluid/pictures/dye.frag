// The picture of two dyes (Bolz et al. 2003, section 4.1.1: a quantity to advect): each adds its colour to the
// background in proportion to its concentration.
//
//   dye          .xy    concentrations, one node per texel
//   background   .xyz   linear light
//   lower_dye    .xyz   colour of the first dye
//   upper_dye    .xyz   colour of the second dye
//   spacing      .x     grid spaces from one sample of the picture to the next
//   result       .xyz   linear light
//
// INSIDE, BILINEAR: bilinear.glsl
// Cost: 28 instructions, 4 of them fetches, with bilinear
uniform stream dye;
uniform vec3 background;
uniform vec3 lower_dye;
uniform vec3 upper_dye;
uniform float spacing;

void main() {
    vec2 place = INSIDE(0.5 + spacing * here);
    vec2 share = BILINEAR(dye, place).xy;
    vec3 water = (1.0 - clamp(share.x + share.y, 0.0, 1.0)) * background;
    result = vec4(water + share.x * lower_dye + share.y * upper_dye, 1.0);
}
