const reasonOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string" && error.code.startsWith("SQLITE_"))
    return error.code;
  // What libsql says of a file that it cannot open at all.
  return error.message.startsWith("ConnectionFailed") ? "no such file, or not readable" : undefined;
};

/**
 * Opens a file of the data folder.
 * @throws Error that names the file and says what to do, where SQLite has but a code for what is wrong with it.
 */
export const openFile = async <T>(path: string, open: () => Promise<T>): Promise<T> => {
  try {
    return await open();
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    throw new Error(
      `${path} cannot be opened as a database (${reason}). If it is damaged, restore a backup; npm run doctor examines the folder.`,
    );
  }
};
