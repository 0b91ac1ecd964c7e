/** The version of every package of this repository; a test holds it equal to their package.json. */
export const TOOLPOST_VERSION = '0.1.0';
