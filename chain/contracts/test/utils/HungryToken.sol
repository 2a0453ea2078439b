// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @dev A token whose transfers use a configurable amount of gas or are rejected.
contract HungryToken is ERC20 {
    uint256 public appetite;
    bool public refusing;

    constructor() ERC20("Hungry", "HUNGRY") {
        _mint(msg.sender, 1e30);
    }

    function eat(uint256 gas) external {
        appetite = gas;
    }

    function refuse(bool all) external {
        refusing = all;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        uint256 start = gasleft();
        require(!refusing, "refused");
        while (start - gasleft() < appetite) {}
        return super.transfer(to, amount);
    }
}
