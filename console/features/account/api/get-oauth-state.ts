import { callApi } from "../../../lib/api-client";
import { reportError } from "../../../lib/report-error";

/** GET /api/oauth/state: the value that GitHub must hand back, so that nobody else can finish this login. */
const getOauthState = async (): Promise<string> =>
  String((await callApi("GET", "/api/oauth/state")).data ?? "");

/** Goes where GitHub asks the person for consent; it sends them back to /oauth/github. */
export const openGithubConsent = async (clientId: string): Promise<void> => {
  try {
    const query = new URLSearchParams({
      client_id: clientId,
      state: await getOauthState(),
      scope: "user:email",
    });
    window.location.assign(`https://github.com/login/oauth/authorize?${query}`);
  } catch (error) {
    reportError(error);
  }
};
