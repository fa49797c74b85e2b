/** The version of the contract that `/api` keeps, as its status answer tells it (specification section 3). */
export const CONTRACT_VERSION = "v0.5.9-alpha";

/** The product's own version, the only place that says it: at the start, in backups and in the description of `/api`. */
export const PRODUCT_VERSION = "1.0.0";

/** The product's name, used wherever the administrator has not set a system name. */
export const PRODUCT_NAME = "Tollgate";

/** Both versions as the console shows them: that of the contract first, as the specification has it. */
export const SHOWN_VERSION = `${CONTRACT_VERSION} (${PRODUCT_NAME} ${PRODUCT_VERSION})`;
