/** The keys that the fake upstream knows, in the form in which a channel of each type takes them. */
export const FAKE_KEYS = {
  /** For vendors that take the key unchanged. */
  plain: "upstream-key",
  azure: "fake-azure-key",
  baidu: "fake-api-key|fake-secret-key",
  bedrock: "AKIDfakebedrock|fakeBedrockSecret|eu-west-1",
  hunyuan: "1250000000|AKIDfake0000|fakeTencentSecret",
  spark: "fake-app|fakeSparkSecret|fakeSparkKey",
  zhipu: "fake-zhipu-id.fakeZhipuSecret",
} as const;
