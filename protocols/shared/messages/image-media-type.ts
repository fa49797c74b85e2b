/** First bytes of the image formats that vendors accept. */
const SIGNATURES: readonly (readonly [mediaType: string, test: (head: Uint8Array) => boolean])[] = [
  ["image/png", (head) => startsWith(head, 0, [0x89, 0x50, 0x4e, 0x47])],
  ["image/jpeg", (head) => startsWith(head, 0, [0xff, 0xd8, 0xff])],
  ["image/gif", (head) => startsWith(head, 0, [0x47, 0x49, 0x46, 0x38])],
  [
    "image/webp",
    (head) => startsWith(head, 0, [0x52, 0x49, 0x46, 0x46]) && startsWith(head, 8, [0x57, 0x45, 0x42, 0x50]),
  ],
];

/**
 * The media type of an image from its first bytes: clients often declare a wrong one or none, which vendors refuse.
 * @param data base64 without a prefix.
 * @param declared the client's type; used when the bytes are of no known kind.
 */
export const imageMediaType = (data: string, declared: string | undefined): string | undefined => {
  const head = Buffer.from(data.slice(0, 24), "base64");
  const found = SIGNATURES.find(([, test]) => test(head));
  if (found) return found[0];
  return declared === "" ? undefined : declared;
};

const startsWith = (head: Uint8Array, at: number, bytes: readonly number[]): boolean =>
  bytes.every((byte, index) => head[at + index] === byte);
