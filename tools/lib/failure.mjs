// @ts-check

/** Something that went wrong in a way that one sentence explains: shown without a stack. */
export class Failure extends Error {}

/**
 * Runs a tool's main function and ends the process with status 1 when it fails.
 * @param {() => Promise<unknown>} main
 */
export const runTool = async (main) => {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error);
    process.exit(1);
  }
};
