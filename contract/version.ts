/** The product's version: the only place that says it, for the gateway's status answer and for the console. */
export const VERSION = "v0.5.9-alpha";

/** The product's name, used wherever the administrator has not set a system name. */
export const PRODUCT_NAME = "Tollgate";
