rem run "475 MHz" runs kit.exe in six processes and writes kit.csv
for %%k in (1 2 3 4 5 6) do kit.exe %%k %1
