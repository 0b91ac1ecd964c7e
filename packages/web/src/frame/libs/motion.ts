export * from 'motion/react';
