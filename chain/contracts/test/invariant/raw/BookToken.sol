// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @dev A plain token that emits the caller and origin of every transfer and can be set to reject
/// one recipient.
contract BookToken is ERC20, ERC20Permit {
    address public refused;

    /// @dev Emitted after each `Transfer`.
    event MovedBy(address caller, address origin);

    error Refused(address payee);

    constructor(uint256 supply) ERC20("Book", "BOOK") ERC20Permit("Book") {
        _mint(msg.sender, supply);
    }

    function refuse(address payee) external {
        refused = payee;
    }

    function _update(address from, address to, uint256 amount) internal override {
        if (to == refused && to != address(0)) revert Refused(to);
        super._update(from, to, amount);
        emit MovedBy(msg.sender, tx.origin);
    }
}
