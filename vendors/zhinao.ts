import { byRatio, contractSheet, wordlessByRatio } from "./catalogue/contract-sheet";
import { defineVendor } from "./define-vendor";

export const zhinao = defineVendor({
  type: 19,
  name: "360 Zhinao",
  color: "blue",
  baseUrl: "https://ai.360.cn",
  // https://ai.360.com/platform/docs
  errorKinds: {
    "dead-key": [1002, 1003, 1006],
    "model-missing": [1004],
    "rate-limited": [1005],
    caller: [1001, 1403],
  },
  models: ["360GPT_S2_V9", "embedding-bert-512-v1", "embedding_s1_v1", "semantic_similarity_s1_v1"],
  prices: [
    contractSheet(
      { id: "360", name: "360" },
      {
        "360GPT_S2_V9": byRatio(0.8572),
        "embedding-bert-512-v1": wordlessByRatio(0.0715),
        embedding_s1_v1: wordlessByRatio(0.0715),
        semantic_similarity_s1_v1: wordlessByRatio(0.0715),
      },
    ),
  ],
});
