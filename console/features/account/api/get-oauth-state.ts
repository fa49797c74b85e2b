import { callApi } from "../../../lib/api-client";

/** GET /api/oauth/state: the value that GitHub must hand back, so that nobody else can finish this login. */
export const getOauthState = async (): Promise<string> =>
  String((await callApi("GET", "/api/oauth/state")).data ?? "");

/** Where GitHub asks the person for consent. */
export const githubConsentUrl = (clientId: string, state: string): string =>
  `https://github.com/login/oauth/authorize?${new URLSearchParams({
    client_id: clientId,
    state,
    scope: "user:email",
  })}`;
