#!/bin/bash
# What takes too long for every commit: a million damaged files, four thousand random programs, two thousand solves
# held against twice double precision, five hundred kills, and every command where memory, files, threads or the disk
# are scarce.
#
#   tests/nightly.sh            all of it, as root: some limits do not hold for root, and a full disk is mounted
#   SHARE=0.01 tests/nightly.sh a hundredth, of the commands under a limit at least one
#   FLAGS="--features mutants" tests/nightly.sh  as built by these flags of cargo
#   SEED=3 tests/nightly.sh     other random numbers
#   PART="files kills" tests/nightly.sh  these of the parts files, programs, solves, pages, kills, scarce
#
# Prints a table. Ends with 1 if anything was not as it should be.
set -u
runner=
cd "$(dirname "$0")/.." || exit
export SHARE=${SHARE:-1} SEED=${SEED:-2} LP_NUM_THREADS=${LP_NUM_THREADS:-0}
work=$(mktemp -d) && chmod 755 "$work"
part() { [[ " ${PART:-files programs solves pages kills scarce} " == *" $1 "* ]]; }
trap 'umount "$work/full" 2>/dev/null; rm -rf "$work"' EXIT
failed=0
say() { printf '| %s | %s | %s |\n' "$1" "$2" "$3"; }
share() { awk "BEGIN { n = $1 * $SHARE; print int(n) + (n > int(n)) }"; }
say what runs result
say --- --: ---

# In the process of the tests.
# shellcheck disable=SC2086
cargo build --quiet ${FLAGS:-} && cargo test --quiet ${FLAGS:-} --test it --no-run || exit
cp "${CARGO_TARGET_DIR:-target}/debug/fragstream" "$work/f" && chmod 755 "$work/f"
F=$work/f
tests=()
part files && tests+=(many_damaged_files)
part programs && tests+=(many_random_programs)
part solves && tests+=(what_is_called_converged_is_two temperatures_are_right_on_the_finest_grids the_vortex_street_of_a_cylinder)
for test in "${tests[@]}"; do
    if output=$(cargo test --quiet ${FLAGS:-} --test it $test -- --ignored --nocapture 2>&1); then
        grep ' | ' <<<"$output" | sed 's/.*/| & |/'
    else
        failed=1; say $test - FAILED; tail -5 <<<"$output" >&2
    fi
done

# All presets, settings and links of the live page, all films and exercises, and eight times as many random settings as the
# tests of each commit try.
if part pages && [ "$SHARE" = 1 ]; then
    # shellcheck disable=SC2086
    if output=$(FRAGSTREAM_ALL_PAGES=1 cargo test --quiet ${FLAGS:-} --test it -- live:: film:: experiment:: 2>&1); then
        say "presets, settings and links of the live page" all "$(sed -n 's/.*finished in //p' <<<"$output")"
    else
        failed=1; say live::pages - FAILED; tail -5 <<<"$output" >&2
    fi
fi

# All calls that can fail, signals, factors and widths, of which the tests of each commit try a sample.
if part kills && [ "$SHARE" = 1 ]; then
    # shellcheck disable=SC2086
    if output=$(FRAGSTREAM_ALL_CALLS=1 cargo test --quiet ${FLAGS:---features mutants} --test cli -- failing interrupts invariance widths layouts::solve_takes 2>&1); then
        say "errors at each call, signals, factors, widths" all "$(sed -n 's/.*finished in //p' <<<"$output")"
    else
        failed=1; say "errors at each call, signals, factors, widths" - FAILED; tail -5 <<<"$output" >&2
    fi
fi

# Every setting that a claim takes changes what it finds, or is refused; the tests of each commit try a sample.
if part programs && [ "$SHARE" = 1 ]; then
    # shellcheck disable=SC2086
    if output=$(FRAGSTREAM_ALL_SETTINGS='' cargo test --quiet ${FLAGS:-} --test it -- claim::settings --nocapture 2>&1); then
        say "settings of claims" all "$(sed -n 's/.*finished in //p' <<<"$output")"
    else
        failed=1; say claim::settings - FAILED; grep '^nobody reads' <<<"$output" >&2
    fi
fi

# The machine code of Mesa's compilers for two cards of 2003: fetches as in figures/mesa.
if part programs; then
    output=$(python3 tests/mesa/rebuild.py "$F" --check 2>"$work/mesa"); code=$?
    say "programs by Mesa's compilers" all "$(head -1 <<<"$output")"
    ((code == 0 || code == 77)) || { failed=1; cat "$work/mesa" >&2; }
fi

# Files that other libraries write, with the values that they compute.
if ! part files; then
    :
elif python3 -c 'import meshio, numpy, OpenEXR, scipy, trimesh' 2>/dev/null; then
    python3 -W ignore tests/corpus.py "$F" 2>"$work/corpus" || { failed=1; cat "$work/corpus" >&2; }
else
    say "files of other libraries" 0 "not run: pip install numpy scipy meshio trimesh OpenEXR"
fi

# Kills at random moments: a file is the old one or the new one, whole. An animation may have fewer frames, and a surface
# may be that of an earlier step. Only KILL leaves parts of files. A signal that no code is promised for ends the process as if it had not been handled.
whole() {
    case $1 in
    *.gif) [ "$(head -c 6 "$1")" = GIF89a ] && [ "$(tail -c 1 "$1")" = ';' ] ;;
    *.ply) [ "$(stat -c %s "$1")" = "$(LC_ALL=C awk "$ply" "$1")" ] ;;
    *) false ;;
    esac
}
# The size that the header of a PLY announces.
ply='{ n += length + 1 } /^element vertex/ { n += 12 * $3 } /^element face/ { faces = $3 }
    /^property list/ { n += faces * ($4 == "ushort" ? 7 : 13) } /^end_h/ { print n; exit }'
cd "$work" || exit
matrix=$OLDPWD/figures/input/bcsstk01.mtx mesh=$OLDPWD/figures/input/bunny.ply
commands=("poisson --size 65x65 --out @.f32" "solve $matrix --out @.mtx" "heat --size 33x33 --out @.f32"
    "smooth $mesh @.ply --steps 2 --rtol 1e-2" "water --size 64x64 --steps 8 --gif @.gif" "liquid --size 12 --steps 3 --surface @.ply")
signals=(HUP INT QUIT TERM XCPU USR1 USR2 ALRM VTALRM PWR KILL)
kills=0 bad=0 alive=0 RANDOM=$SEED
part kills && kills=$(share 500)
for ((k = 0; k < kills; k++)); do
    command=${commands[k % ${#commands[@]}]}
    name=${command#*@}; name=kill/o${name%% *}
    if ! [ -e "new${name#kill/o}.$((k % ${#commands[@]}))" ]; then
        mkdir -p ref; $F ${command//@/ref/o} >/dev/null 2>&1; mv "ref/o${name#kill/o}" "new${name#kill/o}.$((k % ${#commands[@]}))"
    fi
    rm -rf kill; mkdir kill; echo old >"$name"
    $F ${command//@/kill/o} >/dev/null 2>&1 & pid=$!
    sleep "0.$(printf %03d $((RANDOM % 600)))"
    signal=${signals[RANDOM % ${#signals[@]}]}
    kill -"$signal" $pid 2>/dev/null && alive=$((alive + 1))
    wait $pid 2>/dev/null; code=$?
    if [ $code != 0 ] && [ $code != $((128 + $(kill -l "$signal"))) ]; then
        bad=$((bad + 1)); echo "kill $k: $command: exit $code after $signal" >&2
    fi
    if ! cmp -s "$name" <(echo old) && ! cmp -s "$name" "new${name#kill/o}.$((k % ${#commands[@]}))" && ! whole "$name"; then
        bad=$((bad + 1)); echo "kill $k: $command: neither old nor new" >&2
    fi
    if [ "$signal" != KILL ] && ls -A kill | grep -q part; then
        bad=$((bad + 1)); echo "kill $k: $command: a part is left" >&2
    fi
done
((kills)) && say "kills (${signals[*]})" "$kills" "$alive hit the process, $bad wrong"
((bad)) && failed=1
part scarce || exit $failed

# Runs the commands of standard input under a limit, by $runner if it is set.
under() { # name, right exit codes, what is put before each command
    local name=$1 want=$2 limit=$3 count=0 bad=0 seen=() code line
    while IFS= read -r line; do
        rm -rf o.*
        timeout 300 $runner bash -c "$limit; exec $F $line" >out 2>err; code=$?
        count=$((count + 1)); seen[code]=$((${seen[code]:-0} + 1))
        if [[ " $want " != *" $code "* ]]; then
            bad=$((bad + 1)); echo "$name: $line: exit $code: $(tail -1 err)" >&2
        elif grep -q "^Usage:\|try '--help'" err; then
            bad=$((bad + 1)); echo "$name: $line: cannot be typed: $(head -1 err)" >&2
        elif [ $code = 0 ]; then
            for word in $line; do
                [[ $word != o.* ]] || [ -s "$word" ] || [ -s "$word/report.json" ] || {
                    bad=$((bad + 1)); echo "$name: $line: no $word" >&2
                }
            done
        fi
    done
    local codes=""
    for code in "${!seen[@]}"; do codes+=", exit $code: ${seen[code]}"; done
    say "$name" $count "${codes#, }$( ((bad)) && echo "; $bad WRONG")"
    ((bad)) && failed=1
}
# A share of the lines of standard input, other ones with another SEED.
some() {
    local lines; mapfile -t lines
    printf '%s\n' "${lines[@]}" | shuf -n "$(share ${#lines[@]})" --random-source=<(yes "$SEED")
}
small="info
list
card
poisson --size 129x129 --png o.png
heat --size 129x129 --png o.png
jet --size 129x65 --steps 2 --png o.png
water --size 64x64 --steps 2 --png o.png
dye --size 64x64 --steps 2 --png o.png
wing --size 65x65 --steps 2 --png o.png
fem circle --levels 3 --out o.vtu
liquid --size 16 --steps 2 --png o.png
smooth $mesh o.ply --steps 1 --rtol 1e-2
solve $matrix --out o.mtx
tonemap room o.png
layouts matrix $matrix --rounds 1
layouts grid --size 33 --rounds 1
bench --quick
film gather --out o.html
completions o.shells
reproduce goodnight2003/table1 --quick --out o.report"
large="heat --size 4097x4097 --maxiter 1
heat --size 3073x3073 --maxiter 1
poisson --size 3073x3073 --maxiter 1
water --size 4096x4096 --steps 1
dye --size 2048x2048 --steps 1
jet --size 4097x1025 --steps 1
wing --size 1025x1025 --steps 1
fem circle --levels 9 --out o.vtu
liquid --size 128 --steps 1 --on cpu
layouts grid --size 1025 --rounds 1
layouts vector --size 30000000 --rounds 1
water --size 512x512 --steps 100 --every 1 --gif o.gif --width 2048
layouts matrix many.mtx --rounds 1
solve many.mtx
heat bomb.png --size 33x33 --sides value=0
heat large.toml --maxiter 1"
header='%%MatrixMarket matrix coordinate real general'
printf '%s\n40000000 40000000 1\n1 1 1\n' "$header" >many.mtx
printf 'size = [8192, 8192]\nextent = [1.0, 1.0]\n[sides]\nvalue = 0.0\n' >large.toml
python3 - <<'P'
import struct, zlib
def chunk(kind, data): return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
n, packer = 20000, zlib.compressobj(9)
body = b''.join(packer.compress(bytes(n + 1)) for _ in range(n)) + packer.flush()
open('bomb.png', 'wb').write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', n, n, 8, 0, 0, 0, 0)) + chunk(b'IDAT', body) + chunk(b'IEND', b''))
P
under "memory of 1 GiB (ulimit -v), small" "0 2" "ulimit -v 1048576" <<<"$(some <<<"$small")"
under "memory of 1 GiB, large" "0 2 3" "ulimit -v 1048576" <<<"$(some <<<"$large")"
under "files of 1 kB (ulimit -f)" "2" "ulimit -f 1" <<<"$(grep ' o\.' <<<"$small" | some)"
if mkdir -p full && mount -t tmpfs -o size=32k none full 2>/dev/null; then
    under "a full disk" "2" "cd full; head -c 32k /dev/zero >fill" <<<"$(grep ' o\.' <<<"$small" | some)"
    left=$(find full -type f ! -name fill | wc -l)
    say "files left on the full disk" 1 "$left besides the filling"
    ((left)) && failed=1
    umount full
else
    say "a full disk" 0 "not run: no tmpfs can be mounted"
fi
chmod 777 .
for most in 1 2 3 5; do
    [ "$(id -u)" = 0 ] || break
    runner="setpriv --reuid 65533 --regid 65533 --clear-groups" \
        under "$most threads (ulimit -u)" "0 2 4" "unset LP_NUM_THREADS; ulimit -u $most" <<<"$(some <<<"$small")"
done
export GALLIUM_DRIVER=softpipe
under "softpipe" "0 4" ":" <<<"$(grep -v 'bench\|reproduce\|film' <<<"$small" | some)"
unset GALLIUM_DRIVER
same=0
mapfile -t names < <(printf '%s\n' airfoil bcsstk01 knot unit_cube | some)
for name in "${names[@]}"; do
    $F solve $name --out l.mtx >/dev/null 2>&1; GALLIUM_DRIVER=softpipe $F solve $name --out s.mtx >/dev/null 2>&1
    cmp -s l.mtx s.mtx && same=$((same + 1)) || echo "solve $name: softpipe and llvmpipe differ" >&2
done
say "solve on softpipe and llvmpipe" ${#names[@]} "$same equal bit for bit"
((same < ${#names[@]})) && failed=1
exit $failed
