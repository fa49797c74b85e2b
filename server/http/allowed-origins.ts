/** Origins other than this server's own whose pages may call /api with the caller's cookie. */
export type AllowedOrigins = ReadonlySet<string>;

/**
 * @param origins comma-separated ("https://console.example.com, http://localhost:5173").
 * @throws Error naming an entry that is no origin.
 */
export const readAllowedOrigins = (origins: string): AllowedOrigins => {
  const allowed = new Set<string>();
  for (const entry of origins.split(",").map((each) => each.trim().replace(/\/$/, ""))) {
    if (entry === "") continue;
    if (!/^https?:/.test(entry) || !URL.canParse(entry) || new URL(entry).origin !== entry.toLowerCase()) {
      throw new Error(`ALLOWED_ORIGINS: "${entry}" is no origin such as https://console.example.com`);
    }
    allowed.add(entry.toLowerCase());
  }
  return allowed;
};
