/**
 * Permissions of another site's page in a frame: all that a chat client needs, but no navigation of the console's own
 * page, which could lead to a fake sign-in page.
 */
export const FRAME_SANDBOX =
  "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads allow-modals";
