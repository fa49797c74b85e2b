/** Lets the browser save a text as a file. */
export const downloadText = (text: string, fileName: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  // Delayed, because the browser reads the blob after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};
