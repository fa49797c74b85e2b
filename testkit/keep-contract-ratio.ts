import type { SignedIn } from "@tollgate/demo/api-client";
import { demand } from "@tollgate/demo/build-world";

/**
 * Saves the ratio that the worked examples of one-api's contract charge gpt-3.5-turbo by: 13 and 5 tokens cost 18. All
 * other models keep their list prices.
 */
export const keepContractRatio = async (root: SignedIn): Promise<void> => {
  const options = (await demand(root.api("GET", "/api/option/"))) as { key: string; value: string }[];
  const ratios = JSON.parse(options.find(({ key }) => key === "ModelRatio")?.value ?? "{}") as object;
  const value = JSON.stringify({ ...ratios, "gpt-3.5-turbo": 0.75 });
  await demand(root.api("PUT", "/api/option/", { key: "ModelRatio", value }));
};
