import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Builds the product when it is older than its sources, so that no end-to-end test runs against yesterday's code. */
export default (): void => {
  const build = fileURLToPath(new URL("../tools/build.mjs", import.meta.url));
  const { status } = spawnSync(process.execPath, [build], { stdio: "inherit" });
  if (status !== 0) throw new Error("The product does not build; see above.");
};
