# Installs Debian packages that are missing; read by ./foxfire and ./test.
#
# Sets no options and changes no directory. Speaks on standard error only. The reader has set `here` to
# the folder of the sources.
# shellcheck shell=sh

# Installs what the words given name in scripts/packages (`build`, `test`), where it is missing.
install_packages() {
    if ! command -v swift >/dev/null; then
        echo "$0: swift is not in PATH; Swift 6 for this system is at https://swift.org/install" >&2
        return 1
    fi
    wanted=
    for word in "$@"; do
        # shellcheck disable=SC2154
        wanted="$wanted $(sed -n "s/^$word //p" "$here/scripts/packages" | tr '\n' ' ')"
    done
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        warn_without_apt "$wanted"
        return
    fi
    # Sorted lists of what is wanted and of what is there; the rest is missing.
    # shellcheck disable=SC2086
    present=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' $wanted 2>/dev/null |
        sed -n 's/ installed$//p')
    missing=
    for package in $wanted; do
        case "
$present
" in
        *"
$package
"*) ;;
        *) missing="$missing $package" ;;
        esac
    done
    if [ -z "$missing" ]; then return; fi

    command="apt-get install -y --no-install-recommends$missing"
    if [ "$(id -u)" = 0 ]; then
        as_root=
    elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        as_root=sudo
    else
        echo "$0: these packages are missing, and only root may install them. Run:" >&2
        echo "    sudo $command" >&2
        return 1
    fi
    echo "$0: installing$missing" >&2
    # shellcheck disable=SC2086
    if ! {
        $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q &&
            $as_root env DEBIAN_FRONTEND=noninteractive $command -q
    } >&2 </dev/null; then
        echo "$0: the packages could not be installed. Run:" >&2
        echo "    sudo apt-get update && sudo $command" >&2
        return 1
    fi
}

# Installs a newer libheif than Debian's, from PyPI, that tests let read what they wrote.
install_judges() {
    if [ -d "$here/.build/python/pillow_heif" ]; then return; fi
    echo "$0: installing pillow-heif for the tests" >&2
    if python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore \
        --target "$here/.build/python" pillow-heif==1.8.1 >&2 </dev/null
    then
        return
    fi
    rm -rf "$here/.build/python"
    echo "$0: it could not be installed: what only a newer libheif can judge is left out" >&2
}

# Without apt nothing can be installed here: the build says what it misses.
warn_without_apt() {
    if command -v pkg-config >/dev/null &&
        pkg-config --exists libavcodec libavformat libavutil libswresample libswscale libdeflate libebur128
    then
        return
    fi
    echo "$0: there is no apt here; install what corresponds to these Debian packages:" >&2
    echo "   $1" >&2
    return 1
}
