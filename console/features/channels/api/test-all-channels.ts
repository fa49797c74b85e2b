import { callApi } from "../../../lib/api-client";

/** GET /api/channel/test: a run over all enabled channels. Some servers answer at its beginning, some at its end. */
export const testAllChannels = () => callApi("GET", "/api/channel/test");
