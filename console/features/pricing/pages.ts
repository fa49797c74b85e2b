/** Both pages of prices: one piece of the console, because each name of a piece is carried by every page. */
export { PriceRulesPage } from "./price-rules-page";
export { PricingPage } from "./pricing-page";
