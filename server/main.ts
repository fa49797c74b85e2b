import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { PRODUCT_VERSION } from "@tollgate/contract/version";
import { boundArenas } from "./bound-arenas";
import {
  boundYoungGeneration,
  collectGarbage,
  holdYoungGeneration,
  keepTickClass,
  setYoungGenerationOfThreads,
  YOUNG_BYTES_OF_THREADS,
} from "./heap";

// Before everything else, which would be done twice.
boundArenas(fileURLToPath(import.meta.url), process.argv.slice(2));

// After a quiet time V8 lets the heap grow by only a third. Passing answers lie outside of it but count, so that their
// bytes would then cause a full collection every tenth of a second. Twice is also its growth when busy.
setFlagsFromString("--heap-growing-percent=100");
holdYoungGeneration();
setYoungGenerationOfThreads(YOUNG_BYTES_OF_THREADS);
keepTickClass();

// Everything else is loaded only now that the heap is set.
const { builtFiles } = await import("./built-files");
const { startProduct } = await import("./compose");
const { readConfig } = await import("./config");
const { formatError } = await import("./locales/format-data-fault");
const { watchRequests } = await import("./promote/request-file");
const { describeSetupLink } = await import("./setup-link");

const fail = (error: unknown): never => {
  const isAddressInUse = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  console.error(
    isAddressInUse
      ? "The address is in use by another program: name another port with PORT."
      : formatError(error),
  );
  process.exit(1);
};

try {
  const config = readConfig(process.env);
  /** undefined while another process has the data. */
  let running: Awaited<ReturnType<typeof startProduct>> | undefined;
  const product = await startProduct(config, builtFiles);
  running = product;

  boundYoungGeneration();

  /** Hands the folder over to `tollgate promote`, and continues on the folder or the database. */
  const awaitHandOver = (): void => {
    watchRequests(config.dataDir, async (address) => {
      // Loaded only when needed: it brings SQLite into this thread.
      const { handOver } = await import("./promote/hand-over");
      const handedOver = running;
      if (!handedOver || isStopping) return;
      running = undefined;
      console.log("Tollgate lets go of its data folder, which tollgate promote asked for.");
      handOver({ config, address, running: handedOver }, (next, server, beforeListening) =>
        startProduct(next, builtFiles, { server, beforeListening }),
      ).then(({ running: next, isMoved }) => {
        running = next;
        console.log(
          isMoved
            ? "Tollgate goes on with the database: set DATABASE_URL and MASTER_KEY before the next start, which is refused without them."
            : "Tollgate goes on with its data folder: nothing was moved.",
        );
        if (isStopping) end(next);
        else if (!isMoved) awaitHandOver();
      }, fail);
    });
  };

  let isStopping = false;
  const end = (last: NonNullable<typeof running>): void => {
    last.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  const stop = (): void => {
    // A second signal exits immediately.
    if (isStopping) process.exit(1);
    isStopping = true;
    // During a hand-over, the stop follows at its end.
    if (running) end(running);
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  if (!config.database) awaitHandOver();

  // In one write, so that a program that waits for the first line has read the link as well.
  const setupLink =
    product.setupCode === undefined ? "" : `\n${describeSetupLink(product.url, product.setupCode)}`;
  console.log(`Tollgate ${PRODUCT_VERSION} ready at ${product.url}${setupLink}`);
  collectGarbage();
} catch (error) {
  fail(error);
}
