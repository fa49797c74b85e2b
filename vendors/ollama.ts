import { defineVendor } from "./define-vendor";

const OWN_MACHINE = { price: { input: 0, output: 0 } } as const;

export const ollama = defineVendor({
  type: 30,
  name: "Ollama",
  color: "grey",
  baseUrl: "http://localhost:11434",
  // Those that are there: https://docs.ollama.com/api/tags.
  route: { modelList: "ollama" },
  models: ["gpt-oss:20b", "qwen3:8b", "llama3.3:70b", "nomic-embed-text:latest"],
  prices: [
    // Models on the administrator's own machine have no token price. Only this vendor's names have a tag.
    {
      owner: { id: "ollama", name: "Ollama" },
      currency: "USD",
      source: "https://ollama.com/library",
      asOf: "2026-11-21",
      confidence: "inferred",
      models: {
        "gpt-oss:20b": OWN_MACHINE,
        "gpt-oss:120b": OWN_MACHINE,
        "llama3.3:70b": OWN_MACHINE,
        "qwen3:8b": OWN_MACHINE,
        "qwen3:32b": OWN_MACHINE,
        "nomic-embed-text:latest": { price: { input: 0 }, writesNothing: true },
      },
    },
  ],
});
