import { dirname, join } from "node:path";
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

// After a quiet time V8 lets the heap grow by a third only. Answers that pass lie outside of it but count, so that their
// bytes would then bring a full collection every tenth of a second. Twice is what it may grow to, also when it is busy.
setFlagsFromString("--heap-growing-percent=100");
holdYoungGeneration();
setYoungGenerationOfThreads(YOUNG_BYTES_OF_THREADS);
keepTickClass();

// Everything else is loaded only now that the heap is set.
const { startProduct } = await import("./compose");
const { readConfig } = await import("./config");
const { sayError } = await import("./locales/say-data-fault");
const { describeSetupLink } = await import("./setup-link");

const here = dirname(fileURLToPath(import.meta.url));

try {
  const product = await startProduct(readConfig(process.env), {
    storageWorker: join(here, "storage-worker.js"),
    postgresLogWorker: join(here, "postgres-log-worker.js"),
    tokenCounterWorker: join(here, "token-counter-worker.js"),
    console: join(here, "..", "console"),
  });

  boundYoungGeneration();

  let isStopping = false;
  const stop = (): void => {
    // A second signal means: at once.
    if (isStopping) process.exit(1);
    isStopping = true;
    product.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);

  // In one write, so that whoever waits for the first line has read the link as well.
  const setupLink =
    product.setupCode === undefined ? "" : `\n${describeSetupLink(product.url, product.setupCode)}`;
  console.log(`Tollgate ${PRODUCT_VERSION} ready at ${product.url}${setupLink}`);
  collectGarbage();
} catch (error) {
  const isAddressInUse = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  console.error(
    isAddressInUse
      ? "The address is in use by another program: name another port with PORT."
      : sayError(error),
  );
  process.exit(1);
}
