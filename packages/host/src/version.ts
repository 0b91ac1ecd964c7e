export { TOOLPOST_VERSION as HOST_VERSION } from '@toolpost/protocol';
