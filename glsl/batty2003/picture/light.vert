// Finds the point of the floor where light that meets the liquid's surface, or a solid, lands: straight on, or
// refracted by Snell's law. (Caustics. No section of the paper is about pictures.)
//
//   position      .xyz  in metres
//   normal        .xyz  towards the air
//   sun           .xyz  unit vector towards the lamp
//   ratio         .x    refractive index in front of the surface over that behind it; 1 for straight on
//   region        .xyzw part of the floor: its smallest x and z, and its extent in x and z
//   texels        .xy   columns and rows of the picture of the region
//   straight      .xy   texel in which the light would have landed without the surface
//   way           .x    length of its path to the floor
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
