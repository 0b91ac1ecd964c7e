export * from 'echarts';
