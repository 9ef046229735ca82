// Dye and velocity (Krueger and Westermann 2003, section 6, Fig. 8). The velocity is made visible by noise that is
// smeared along it: a line integral convolution (Cabral and Leedom 1993).
//
//   SPEED      defined if the speed is shown instead of the dye
//   dye        .xyz   red, green and blue light, one cell per texel
//   velocity   .xy    u and v; cell (0, 0) is texel (2, 2)
//   size       .xy    columns and rows of cells
//   spacing    .x     cells from one sample of the picture to the next
//   most       .x     a typical speed of the fluid
//   grain      .x     width of a grain of noise, in samples of the picture
//   corner     .xy    lower left corner of what is drawn, in samples of the picture
//   result     .xyz   linear light
//
// EXCEPTION(limits): a picture of fragstream's, in one pass
//
// INTERPOLATE: interpolate_linear.glsl
// Cost: 1375 instructions, 220 of them fetches, with interpolate_linear
uniform stream dye;
uniform stream velocity;
uniform vec2 size;
uniform float spacing;
uniform float most;
uniform float grain;
uniform vec2 corner;

const float STEPS = 14.0;

vec2 velocity_at(vec2 place) {
    vec2 p = clamp(place, vec2(0.0), size);
    float u = INTERPOLATE(velocity, p + vec2(2.5, 2.0)).x;
    float v = INTERPOLATE(velocity, p + vec2(2.0, 2.5)).y;
    return vec2(u, v);
}

float noise(vec2 sample_place) {
    vec2 p = floor(sample_place / grain);
    vec2 q = fract((p + 0.5) * vec2(0.7548777, 0.5698403));
    return fract(61.0 * q.x * q.y + 7.0 * q.y);
}

// The sum of the noise along half a streamline.
float along(vec2 start, float way) {
    float sum = 0.0;
    vec2 p = start;
    for (float k = 0.0; k < STEPS; k += 1.0) {
        vec2 v = velocity_at(p * spacing);
        p += way * v / (length(v) + 1e-4 * most);
        sum += noise(p);
    }
    return sum;
}

vec3 speed_colour(float share) {
    vec3 night = vec3(0.008, 0.010, 0.030);
    vec3 low = mix(night, vec3(0.03, 0.10, 0.42), clamp(3.0 * share, 0.0, 1.0));
    vec3 middle = mix(low, vec3(0.05, 0.50, 0.62), clamp(3.0 * share - 1.0, 0.0, 1.0));
    return mix(middle, vec3(0.75, 0.95, 0.62), clamp(3.0 * share - 2.0, 0.0, 1.0));
}

void main() {
    vec2 own = here + corner;
    vec2 place = own * spacing;
    float share = length(velocity_at(place)) / most;
    float mean = (along(own, grain) + along(own, -grain)) / (2.0 * STEPS);
    float streak = clamp((mean - 0.5) * 4.0, -1.0, 1.0) * smoothstep(0.0, 0.2, share);
#ifdef SPEED
    vec3 colour = speed_colour(clamp(share, 0.0, 1.0)) * (1.0 + 0.8 * streak);
#else
    vec2 p = clamp(place, vec2(0.5), size - 0.5);
    vec3 light = INTERPOLATE(dye, p).xyz;
    vec3 ground = vec3(0.010, 0.012, 0.022) * (1.0 + 0.9 * streak);
    vec3 colour = ground + (1.0 - exp(-light)) * (1.0 + 0.35 * streak);
#endif
    result = vec4(colour, 1.0);
}
