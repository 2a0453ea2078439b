// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @dev A token that lets any account mint any amount.
contract VastToken is ERC20 {
    constructor() ERC20("Vast", "VAST") {
        _mint(msg.sender, 1e30);
    }

    function give(address account, uint256 amount) external {
        _mint(account, amount);
    }
}
