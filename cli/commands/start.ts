import { pathToFileURL } from "node:url";
import { builtMain } from "@tollgate/server/built-files";
import type { DefineCommand } from "../command";

/** Starts the gateway in this process, which ends with it. */
export const defineStart: DefineCommand = (program, { run }) => {
  program
    .command("start")
    .description("start the gateway; the environment says how (HOST, PORT, DATA_DIR …)")
    .action(() =>
      run(async () => {
        await import(pathToFileURL(builtMain).href);
        return 0;
      }),
    );
};
