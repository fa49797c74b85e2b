/** Both price pages in one chunk, because every page carries the name of each chunk. */
export { PriceRulesPage } from "./price-rules-page";
export { PricingPage } from "./pricing-page";
