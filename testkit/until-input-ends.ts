/**
 * A script of `sh` that runs a server until its own fourth file (3) ends: that is when it is to be stopped, and also when whoever
 * started it has died in any way. Then FOLDER is removed.
 */
export const UNTIL_INPUT_ENDS = `"$@" </dev/null & server=$!
(cat >/dev/null; kill -INT $server) <&3 2>/dev/null &
wait $server
rm -rf "$FOLDER"`;
