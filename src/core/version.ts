/** The product's version, as every face reports it. @module */

/** Semantic version of this source tree. */
export const VERSION = "0.1.0";
