// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @title The platform token
/// @notice A plain ERC-20 with 18 decimals, ERC-2612 permit and a supply fixed at deployment.
contract TaskToken is ERC20, ERC20Permit {
    /// @notice Mints the whole `supply`, in the smallest unit, to `holder`.
    constructor(string memory name_, string memory symbol_, address holder, uint256 supply)
        ERC20(name_, symbol_)
        ERC20Permit(name_)
    {
        _mint(holder, supply);
    }
}
