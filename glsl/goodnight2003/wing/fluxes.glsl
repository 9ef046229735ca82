// Prepended to programs that need the flow through the faces of a node's volume (Goodnight et al. 2003, section
// 5.3, eq. 5; needs grid.glsl): differences of psi between the corners, so that outflow equals inflow. At a corner, psi is the mean
// of four nodes.
//
//   psi   .x                    the stream function
//   CARRIED(flux, a, b, c, d)   transport by a flow from b to c, of four values in a row
//   FLUXES                      flow out to the east, in from the west, out to the north and in from the south
uniform stream psi;

float sum(vec2 a, vec2 b) {
    return fetch(psi, NODE(a)).x + fetch(psi, NODE(b)).x;
}

vec4 fluxes() {
    vec2 e = vec2(1.0, 0.0);
    vec2 n = vec2(0.0, 1.0);
    float east = sum(n, e + n) - sum(-n, e - n);
    float west = sum(n - e, n) - sum(-e - n, -n);
    float north = sum(-e, n - e) - sum(e, e + n);
    float south = sum(-e - n, -e) - sum(e - n, e);
    return 0.25 * vec4(east, west, north, south);
}

// The cubic through three of the values, two of them upstream.
float carried(float flux, float a, float b, float c, float d) {
    float middle = 7.0 * (b + c) - (a + d);
    float upstream = (d - a) + 3.0 * (b - c);
    return (flux * middle + abs(flux) * upstream) * (1.0 / 12.0);
}
#define FLUXES fluxes()
#define CARRIED(flux, a, b, c, d) carried(flux, a, b, c, d)
