#!/usr/bin/env bash
# Replicates three claims and one figure on a bare Debian or Ubuntu, without parameters: installs what is missing, builds
# fragstream, checks the claims on their full inputs, and leaves the report and the figure in the folder `replicated`.
#
# The figure is bolz2003's Fig. 4: a scan of 35 947 vertices before and after three steps of geometric flow.
set -euo pipefail
cd "$(dirname "$0")/../.."

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# A driver of OpenGL without a GPU, and a linker.
missing=()
ldconfig -p | grep -q 'libEGL\.so\.1' || missing+=(libegl1)
ldconfig -p | grep -q 'libEGL_mesa\.so' || missing+=(libegl-mesa0)
ls /usr/lib/*/dri/swrast_dri.so >/dev/null 2>&1 || missing+=(libgl1-mesa-dri)
command -v cc >/dev/null || missing+=(gcc libc6-dev)
command -v curl >/dev/null || missing+=(curl ca-certificates)
if [ ${#missing[@]} -gt 0 ]; then
    as_root apt-get update -q
    as_root apt-get install -q -y --no-install-recommends "${missing[@]}"
fi
# Rust, as its own site installs it, for this user alone.
needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
export PATH="$HOME/.cargo/bin:$PATH"
found=$(rustc --version 2>/dev/null | cut -d ' ' -f 2) || true
if ! printf '%s\n' "$needed" "${found:-0}" | sort --check=quiet --version-sort; then
    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal
fi

# A build that is there is used: FRAGSTREAM names its program.
program=${FRAGSTREAM-}
if [ -z "$program" ]; then
    cargo build --locked --release
    program=target/release/fragstream
fi
export LP_NUM_THREADS=0
for claim in bolz2003/fig4-scan goodnight2003/agree batty2003/listing; do
    "$program" reproduce "$claim" --out replicated
done
figure=replicated/bolz2003/fig4-scan-detail.png
[ -s "$figure" ]
echo "The claims are in replicated/report.html, the figure is $figure."
if [ -n "${DISPLAY-}" ] && command -v xdg-open >/dev/null; then xdg-open "$figure"; fi
