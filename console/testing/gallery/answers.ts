import type { Loss } from "@tollgate/contract/management/buying-price";

const LOSSES: Loss[] = [
  { channel: 1, channel_name: "主力", model: "gpt-5.4", group: "vip", margin: -0.137 },
  { channel: 1, channel_name: "主力", model: "gpt-5.4", group: "svip", margin: -0.2 },
];

/** Answers of calls that components make, by path; the gallery has no gateway. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  "/api/profit/losses": LOSSES,
  "/api/status": { body_log: true, user_agreement: true, privacy_policy: true },
};

/** Answers every call of this page with the answer above, or with an empty list. */
export const answerFromNowhere = (): void => {
  window.fetch = async (input) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    return Response.json({ success: true, message: "", data: ANSWERS[pathname] ?? [] });
  };
};
