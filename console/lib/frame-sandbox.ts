/**
 * What another site's page may do in a frame: all that a chat client needs, but not lead the console's own page away to
 * where a sign-in is only looked like.
 */
export const FRAME_SANDBOX =
  "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-downloads allow-modals";
