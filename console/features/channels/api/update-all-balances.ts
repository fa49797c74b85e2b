import { callApi } from "../../../lib/api-client";

/** GET /api/channel/update_balance: asks for the balance of every enabled channel, and answers when done. */
export const updateAllBalances = () => callApi("GET", "/api/channel/update_balance");
