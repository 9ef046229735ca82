// Where light that meets the liquid's surface, or a solid, lands on the floor: straight on, and
// bent by Snell's law. (Caustics. No section of the paper is about pictures.)
//
//   position      .xyz  in metres
//   normal        .xyz  towards the air
//   sun           .xyz  unit vector towards the lamp
//   ratio         .x    refractive index before over behind the surface; 1 for straight on
//   region        .xyzw of the floor: the smallest x and z, and how far it extends in x and z
//   texels        .xy   columns and rows of the picture of the region
//   straight      .xy   texel in which the light would have landed
//   way           .x    how far it goes to the floor
#version 330 core
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
uniform vec3 sun;
uniform float ratio;
uniform vec4 region;
uniform vec2 texels;
out vec2 straight;
out float way;

void main() {
    float facing = clamp(dot(sun, normal), 0.0, 1.0);
    float bent = sqrt(1.0 - ratio * ratio * (1.0 - facing * facing));
    vec3 onward = -ratio * sun + (ratio * facing - bent) * normal;
    way = position.y / max(-onward.y, 0.2);
    vec2 landed = position.xz + way * onward.xz;
    vec2 unbent = position.xz - position.y / sun.y * sun.xz;
    straight = (unbent - region.xy) / region.zw * texels;
    gl_Position = vec4(2.0 * (landed - region.xy) / region.zw - 1.0, 0.0, 1.0);
}
